import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useEffect, useState } from "react";
import { usePlainScript } from "#app/plain-page.ts";
import { delays } from "#core/terms.ts";
import styles from "./copy-field.module.css";
import { copyText } from "./copy-text.ts";
import { useHydrated } from "./use-hydrated.ts";

interface CopyFieldProps {
  text: string;
  /** What is copied: 'Bitcoin address'. */
  label: string;
}

/** A text to be copied, an address for instance, with a button that says for 2 s that it was. */
export function CopyField({ text, label }: CopyFieldProps) {
  return usePlainScript() ? (
    <PlainCopyField text={text} label={label} />
  ) : (
    <HydratedCopyField text={text} label={label} />
  );
}

function HydratedCopyField({ text, label }: CopyFieldProps) {
  const [copied, setCopied] = useState(false);
  const hydrated = useHydrated();
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), delays.copyConfirmationMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => setCopied(await copyText(text));
  return (
    <div className={styles.box}>
      <div className={styles.field}>
        <code className={styles.text}>{text}</code>
        {hydrated ? (
          <button
            type="button"
            className={styles.button}
            data-copied={copied || undefined}
            aria-label={`Copy ${label}`}
            onClick={() => void copy()}
          >
            <Icons />
          </button>
        ) : (
          <span className={styles.button} />
        )}
      </div>
      <div role="status">{copied ? <Confirmation /> : null}</div>
    </div>
  );
}

/** Where React does not take over, app/auth/enhance/copy-fields.ts copies. */
function PlainCopyField({ text, label }: CopyFieldProps) {
  return (
    <div className={styles.box} data-copy-field="">
      <div className={styles.field}>
        <code className={styles.text}>{text}</code>
        <button
          type="button"
          className={styles.button}
          data-copy={text}
          aria-label={`Copy ${label}`}
        >
          <Icons />
        </button>
      </div>
      <div role="status">
        <template>
          <Confirmation />
        </template>
      </div>
    </div>
  );
}

function Icons() {
  return (
    <>
      <Copy size={18} aria-hidden="true" />
      <Check size={18} aria-hidden="true" />
    </>
  );
}

function Confirmation() {
  return <span className={styles.confirmation}>Copied to clipboard!</span>;
}
