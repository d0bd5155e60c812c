import { Button } from "@mantine/core";
import KeyRound from "lucide-react/icons/key-round";
import { type RefObject, useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { askAuthenticator, type PasskeyPurpose, passkeyFault } from "./ask-authenticator.ts";
import { FormAlert } from "./form-fields.tsx";
import styles from "./passkey-button.module.css";
import { useHydrated } from "./use-hydrated.ts";

interface PasskeyButtonProps {
  purpose: Exclude<PasskeyPurpose, "sign-in">;
  /** Where the authenticator's answer goes; the page itself when absent. */
  action?: string;
  /** The name under which it goes. */
  field?: string;
  /** A form that is sent with it. */
  form?: RefObject<HTMLFormElement | null>;
  label: string;
  /** What is sent with it. */
  extra?: () => Record<string, string>;
  variant?: "default" | "filled";
}

/** Asks the browser for a passkey and sends what it answers. Passkeys need JavaScript: without it there is no button. */
export function PasskeyButton(props: PasskeyButtonProps) {
  const { purpose, action, field = "passkey", form: beside, label, extra, variant } = props;
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
      const answer = await askAuthenticator(purpose);
      const form = new FormData(beside?.current ?? undefined);
      form.set(field, answer);
      for (const [name, value] of Object.entries(extra?.() ?? {})) form.set(name, value);
      const encType = beside?.current?.enctype === multipart ? multipart : undefined;
      await submit(form, {
        method: "post",
        ...(action && { action }),
        ...(encType && { encType }),
      });
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
        variant={variant ?? "default"}
        leftSection={<KeyRound size={16} aria-hidden="true" />}
        onClick={() => void ask()}
        disabled={waiting || busy}
        fullWidth={purpose !== "register"}
      >
        {waiting ? "Waiting for your passkey…" : label}
      </Button>
    </div>
  );
}

const multipart = "multipart/form-data";
