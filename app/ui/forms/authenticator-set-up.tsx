import { Form } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { CopyField } from "../figures/copy-field.tsx";
import styles from "./authenticator-set-up.module.css";
import { SubmitButton } from "./submit-button.tsx";

interface AuthenticatorSetUpProps {
  qrCode: string;
  secret: string;
  fault: string | null;
}

/** Scan, or type the secret; then show that it worked by a first code. */
export function AuthenticatorSetUp({ qrCode, secret, fault }: AuthenticatorSetUpProps) {
  return (
    <div className={styles.steps}>
      <div>
        <p>1. Scan this with an authenticator app.</p>
        <img
          src={qrCode}
          alt="QR code for your authenticator app"
          width={176}
          height={176}
          className={styles.code}
        />
      </div>
      <div>
        <p>Or type this secret into it:</p>
        <CopyField text={secret} label="secret" />
      </div>
      <Form method="post" className={styles.form}>
        <TextField
          name="code"
          label="2. The six digits that the app shows"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={20}
          error={fault}
        />
        <div>
          <SubmitButton pendingText="Checking…">Set up</SubmitButton>
        </div>
      </Form>
    </div>
  );
}
