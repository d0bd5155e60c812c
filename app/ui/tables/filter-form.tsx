import type { ReactNode } from "react";
import { Form, useSubmit } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import styles from "./filter-form.module.css";

interface FilterFormProps {
  /** What is filtered, for screen readers. */
  label: string;
  /** What the button says. */
  action?: string;
  /** At the end of the row. */
  aside?: ReactNode;
  /** Fields by their parameter's name, uncontrolled. */
  children: ReactNode;
}

/** The filters of a list, kept in the URL. A choice applies at once, the rest by Enter or the button. */
export function FilterForm({ label, action = "Filter", aside, children }: FilterFormProps) {
  const submit = useSubmit();
  return (
    <Form
      method="get"
      role="search"
      aria-label={label}
      className={styles.filters}
      onChange={({ target, currentTarget }) => {
        if (target instanceof HTMLSelectElement) {
          void submit(currentTarget, { preventScrollReset: true });
        }
      }}
    >
      {children}
      <Button type="submit" look="quiet">
        {action}
      </Button>
      {aside ? <div className={styles.aside}>{aside}</div> : null}
    </Form>
  );
}
