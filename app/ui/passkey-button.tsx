import { Button } from "@mantine/core";
import KeyRound from "lucide-react/icons/key-round";
import { useState } from "react";
import { useNavigation, useSubmit } from "react-router";
import { askAuthenticator, type PasskeyPurpose, passkeyFault } from "./ask-authenticator.ts";
import { FormAlert } from "./form-fields.tsx";
import styles from "./passkey-button.module.css";
import { useHydrated } from "./use-hydrated.ts";

interface PasskeyButtonProps {
  purpose: Exclude<PasskeyPurpose, "sign-in">;
  label: string;
  /** What is sent with it. */
  extra?: () => Record<string, string>;
  variant?: "default" | "filled";
}

/** Asks the browser for a passkey and sends what it answers to the page itself, as `passkey`. Passkeys need JavaScript: without it there is no button. */
export function PasskeyButton({ purpose, label, extra, variant }: PasskeyButtonProps) {
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
      const passkey = await askAuthenticator(purpose);
      await submit({ passkey, ...extra?.() }, { method: "post" });
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
