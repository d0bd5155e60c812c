import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { type RefObject, useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { KeyRound } from "#app/ui/icons.tsx";
import { useHydrated } from "../browser/use-hydrated.ts";
import { askAuthenticator, type PasskeyPurpose, passkeyFault } from "./ask-authenticator.ts";
import { FormAlert } from "./form-alert.tsx";
import styles from "./passkey-button.module.css";

interface PasskeyButtonProps {
  purpose: Exclude<PasskeyPurpose, "sign-in">;
  /** The name under which it goes. */
  field?: string;
  /** What the authenticator is asked, where the page holds it; otherwise the server is asked. */
  question?: PublicKeyCredentialRequestOptionsJSON;
  /** A form that is sent with it, and leads to a page of its own. */
  form?: RefObject<HTMLFormElement | null>;
  label: string;
  /** What is sent with it. */
  extra?: () => Record<string, string>;
  look?: "quiet" | "filled";
}

/** Asks the browser for a passkey and sends what it answers. Passkeys need JavaScript: without it there is no button. */
export function PasskeyButton(props: PasskeyButtonProps) {
  const {
    purpose,
    field = "passkey",
    question,
    form: beside,
    label,
    extra,
    look = "quiet",
  } = props;
  const hydrated = useHydrated();
  const submit = useSubmit();
  const busy = useNavigation().state !== "idle";
  const [waiting, setWaiting] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  if (!hydrated) return null;
  const ask = async () => {
    setWaiting(true);
    setFault(null);
    try {
      const answer = await askAuthenticator(purpose, question);
      if (beside?.current) {
        sendWith(beside.current, field, answer);
        return;
      }
      const form = new FormData();
      form.set(field, answer);
      for (const [name, value] of Object.entries(extra?.() ?? {})) form.set(name, value);
      await submit(form, { method: "post" });
    } catch (error) {
      setFault(passkeyFault(error));
    } finally {
      setWaiting(false);
    }
  };
  return (
    <div className={styles.box}>
      <FormAlert errors={fault ? [fault] : null} />
      <Button
        type="button"
        look={look}
        icon={<KeyRound size={16} aria-hidden="true" />}
        onClick={() => void ask()}
        disabled={waiting || busy}
        wide={purpose !== "register"}
      >
        {waiting ? "Waiting for your passkey…" : label}
      </Button>
    </div>
  );
}

/** Past the form's own checks: the field for a code, which the passkey stands for, is empty. */
function sendWith(form: HTMLFormElement, name: string, value: string): void {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = name;
  field.value = value;
  form.append(field);
  form.submit();
}
