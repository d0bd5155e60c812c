import { Button } from "@mantine/core";
import { useLocation } from "react-router";
import { contactLimits } from "#core/contact.ts";
import { consentText } from "#core/newsletter.ts";
import styles from "./newsletter.module.css";
import { TrapField } from "./trap-field.tsx";

interface NewsletterFormProps {
  /** Tells two forms on one page apart. */
  id?: string;
  /** What stands over the field: on a page that has said what it is about, the field's own name. */
  label?: string;
  /** What was typed before. */
  email?: string | undefined;
  error?: string | undefined;
}

/** Where a visitor asks for the newsletter. It needs no script. */
export function NewsletterForm({
  id = "newsletter",
  label = "Newsletter",
  email = "",
  error,
}: NewsletterFormProps) {
  const { pathname } = useLocation();
  const errorId = `${id}-error`;
  const consentId = `${id}-consent`;
  return (
    <form method="post" action="/newsletter" className={styles.form}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div className={styles.row}>
        <input
          id={id}
          className={styles.input}
          type="email"
          name="email"
          placeholder="name@example.com"
          autoComplete="email"
          required
          maxLength={contactLimits.email}
          defaultValue={email}
          aria-describedby={error ? `${errorId} ${consentId}` : consentId}
          {...(error && { "aria-invalid": true, autoFocus: true })}
        />
        <Button type="submit" variant="outline">
          Subscribe
        </Button>
      </div>
      {error ? (
        <p id={errorId} className={styles.error}>
          {error}
        </p>
      ) : null}
      <p id={consentId} className={styles.consent}>
        {consentText}
      </p>
      <TrapField id={`${id}-website`} />
      <input type="hidden" name="source" value={pathname} />
    </form>
  );
}
