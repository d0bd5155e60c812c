import { Form } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import type { PasskeyPurpose } from "#app/ui/forms/ask-authenticator.ts";
import { KeyRound } from "#app/ui/icons.tsx";
import styles from "./auth-form.module.css";
import { FormWords } from "./form-words.tsx";

interface PasskeyFormProps {
  purpose: PasskeyPurpose;
  /** Where the authenticator's answer goes; the page itself when absent. */
  action?: string;
  label: string;
  quiet?: boolean;
}

/** Asks the browser for a passkey (enhance/passkeys.ts). Passkeys need a script: without one this is not there. */
export function PasskeyForm({ purpose, action, label, quiet = false }: PasskeyFormProps) {
  return (
    <Form
      method="post"
      {...(action && { action })}
      className={styles.passkey}
      data-passkey={purpose}
    >
      <FormWords errors={[]} />
      <input type="hidden" name="passkey" />
      <Button
        wide
        look={quiet ? "quiet" : "filled"}
        pendingText="Waiting for your passkey…"
        icon={<KeyRound size={16} aria-hidden="true" />}
      >
        {label}
      </Button>
    </Form>
  );
}
