import { useEffect, useState } from "react";
import { usePlainScript } from "#app/plain-page.ts";
import { Check, Copy } from "#app/ui/icons.tsx";
import { delays } from "#core/terms.ts";
import { useHydrated } from "../browser/use-hydrated.ts";
import styles from "./copy-field.module.css";
import { copyText } from "./copy-text.ts";

interface CopyFieldProps {
  text: string;
  /** What is copied: 'Bitcoin address'. */
  label: string;
  /** Shows its beginning and end alone: for a hash or a transaction id. All of it is copied. */
  short?: boolean;
}

/** A text to be copied, an address for instance, with a button that says for 2 s that it was. */
export function CopyField(props: CopyFieldProps) {
  return usePlainScript() ? <PlainCopyField {...props} /> : <HydratedCopyField {...props} />;
}

function HydratedCopyField({ text, label, short = false }: CopyFieldProps) {
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
        <Shown text={text} short={short} />
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

/** Where React does not take over, enhance-copy-fields.ts copies. */
function PlainCopyField({ text, label, short = false }: CopyFieldProps) {
  return (
    <div className={styles.box} data-copy-field="">
      <div className={styles.field}>
        <Shown text={text} short={short} />
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

/** The middle is cut by the style, so that a reader who selects it, or has it read out, gets all of it. */
function Shown({ text, short }: { text: string; short: boolean }) {
  if (!short || text.length <= 24) return <code className={styles.text}>{text}</code>;
  return (
    <code className={`${styles.text} ${styles.short}`} title={text}>
      {text.slice(0, 10)}
      <span className={styles.middle}>{text.slice(10, -8)}</span>
      {text.slice(-8)}
    </code>
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
