import { useRef } from "react";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { securityTerms } from "#core/people/security-terms.ts";
import { confirmFields, type ResumedForm, resumedFile } from "#core/resumed-form.ts";
import styles from "./ask-again.module.css";
import { FactorCodeField } from "./factor-code-field.tsx";
import { FormAlert } from "./form-alert.tsx";
import { PasskeyButton } from "./passkey-button.tsx";
import { SubmitButton } from "./submit-button.tsx";

/** What is asked before a form is taken: server/identity/step-up/require-step-up.ts. */
export interface StepUpQuestion {
  form: ResumedForm;
  hasApp: boolean;
  hasPasskey: boolean;
  fault: string | null;
}

/**
 * Asks for the second factor again and sends it together with the form that waits for it: as a page, not by script, since the
 * page that a refusal has to stand on was never read.
 */
export function AskAgain({ question }: { question: StepUpQuestion }) {
  const { form, hasApp, hasPasskey, fault } = question;
  const sent = useRef<HTMLFormElement>(null);
  return (
    <div className={styles.fields}>
      <p className={styles.lead}>
        This is sensitive, so we ask you to confirm it. Nothing was done yet, and nothing that you
        filled in is lost. We do not ask again for {securityTerms.freshMfaMinutes} minutes.
      </p>
      <FormAlert errors={fault ? [fault] : null} />
      <form
        ref={sent}
        method="post"
        action={form.action}
        className={styles.fields}
        {...(form.tooLarge.length > 0 && { encType: "multipart/form-data" })}
      >
        <ResumedFields form={form} />
        {hasPasskey ? (
          <PasskeyButton
            purpose="prove"
            label="Use a passkey"
            look="filled"
            field={confirmFields.passkey}
            form={sent}
          />
        ) : null}
        <FactorCodeField name={confirmFields.code} hasApp={hasApp} />
        <div>
          <SubmitButton look={hasPasskey ? "quiet" : "filled"} pendingText="Checking…">
            Continue
          </SubmitButton>
        </div>
      </form>
    </div>
  );
}

/** What was filled in, on its way; what no page may repeat is asked for once more. */
export function ResumedFields({ form }: { form: ResumedForm }) {
  return (
    <>
      {form.fields.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a form may hold a field twice; nothing moves here
        <input key={index} type="hidden" name={name} value={value} />
      ))}
      {form.files.map((file) => (
        <input key={file.field} type="hidden" name={resumedFile} value={JSON.stringify(file)} />
      ))}
      {form.tooLarge.map(({ field, name }) => (
        <label key={field} className={styles.file}>
          Choose {name} once more: it is too large for us to keep meanwhile
          <input type="file" name={field} required />
        </label>
      ))}
      {form.passwords.map((name) => (
        <PasswordField
          key={name}
          name={name}
          label={passwordLabels[name] ?? "Current password"}
          autoComplete={name === "current" ? "current-password" : "off"}
          required
        />
      ))}
    </>
  );
}

const passwordLabels: Record<string, string> = {
  current: "Current password",
  password: "Password",
  confirmPassword: "The new password again",
};
