import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useEffect, useState } from "react";
import { delays } from "#core/terms.ts";
import styles from "./copy-field.module.css";
import { useHydrated } from "./use-hydrated.ts";

interface CopyFieldProps {
  text: string;
  /** What is copied: 'Bitcoin address'. */
  label: string;
}

/** A text to be copied, an address for instance, with a button that says for 2 s that it was. */
export function CopyField({ text, label }: CopyFieldProps) {
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
            className={`${styles.button} ${copied ? styles.copied : ""}`}
            aria-label={`Copy ${label}`}
            onClick={() => void copy()}
          >
            {copied ? (
              <Check size={18} aria-hidden="true" />
            ) : (
              <Copy size={18} aria-hidden="true" />
            )}
          </button>
        ) : (
          <span className={styles.button} />
        )}
      </div>
      <div role="status">
        {copied ? <span className={styles.confirmation}>Copied to clipboard!</span> : null}
      </div>
    </div>
  );
}

/** Browsers give the clipboard only to secure origins; elsewhere a hidden field is copied the old way. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.setAttribute("readonly", "");
    field.style.position = "fixed";
    field.style.opacity = "0";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}
