import { useLocation } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { contactLimits } from "#core/contact.ts";
import { consentText } from "#core/newsletter.ts";
import { contactWords } from "../contact/contact-schema.ts";
import { TrapField } from "../frame/trap-field.tsx";
import styles from "./newsletter.module.css";

interface NewsletterFormProps {
  /** Tells two forms on one page apart. */
  id?: string;
  /** What is over the field: on a page that has said what it is about, the field's own name. */
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
  const consentId = `${id}-consent`;
  return (
    <form method="post" action="/newsletter" className={styles.form} noValidate data-own-errors>
      <div className={styles.row}>
        <TextField
          id={id}
          label={label}
          error={error}
          type="email"
          name="email"
          placeholder="name@example.com"
          autoComplete="email"
          required
          data-missing={contactWords.email.missing}
          data-wrong={contactWords.email.wrong}
          maxLength={contactLimits.email}
          defaultValue={email}
          aria-describedby={`${id}-error ${consentId}`}
          autoFocus={error !== undefined}
        />
        <Button type="submit" look="outline">
          Subscribe
        </Button>
      </div>
      <p id={consentId} className={styles.consent}>
        {consentText}
      </p>
      <TrapField id={`${id}-website`} />
      <input type="hidden" name="source" value={pathname} />
    </form>
  );
}
