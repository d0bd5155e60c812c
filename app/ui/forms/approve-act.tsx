import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useRef } from "react";
import { confirmFields, type ResumedForm } from "#core/resumed-form.ts";
import { Facts } from "../page/facts.tsx";
import styles from "./ask-again.module.css";
import { ResumedFields } from "./ask-again.tsx";
import { FormAlert } from "./form-alert.tsx";
import { PasskeyButton } from "./passkey-button.tsx";

/** What is asked before something is approved: server/identity/audit/require-approval.ts. */
export interface ApprovalQuestion {
  form: ResumedForm;
  /** What is signed, a fact a line. */
  text: string;
  /** What the act does, in words that follow "You sign to". */
  does: string;
  options: PublicKeyCredentialRequestOptionsJSON;
  asked: string;
  fault: string | null;
}

/** Shows what is approved, as the audit log will keep it, and asks for the passkey that signs exactly that. */
export function ApproveAct({ form, text, does, options, asked, fault }: ApprovalQuestion) {
  const sent = useRef<HTMLFormElement>(null);
  return (
    <div className={`${styles.fields} ${styles.approved}`}>
      <p className={styles.lead}>
        Nothing was done yet, and nothing that you filled in is lost. Your passkey signs exactly
        what is below. The audit log keeps the signature, and everyone who checks the log can verify
        it.
      </p>
      <FormAlert errors={fault ? [fault] : null} />
      <Facts facts={readFacts(text, does)} />
      <details>
        <summary>The text that is signed</summary>
        <pre className={styles.signed}>{text}</pre>
      </details>
      <form
        ref={sent}
        method="post"
        action={form.action}
        className={styles.fields}
        {...(form.tooLarge.length > 0 && { encType: "multipart/form-data" })}
      >
        <ResumedFields form={form} />
        <input type="hidden" name={confirmFields.asked} value={asked} />
        <PasskeyButton
          purpose="prove"
          label="Sign with your passkey"
          look="filled"
          field={confirmFields.passkey}
          question={options}
          form={sent}
        />
        <noscript>Your passkey needs JavaScript in this browser.</noscript>
      </form>
      <p className={styles.lead}>
        If you no longer have this passkey, remove it under Security. The audit log notes that, and
        approvals then ask for a code.
      </p>
    </div>
  );
}

const hidden = ["asked", "operator"];

/** The lines of the text as facts: `"detail btc": "1.5"` is *btc: 1.5*. */
function readFacts(text: string, does: string) {
  return text.split("\n").flatMap((line) => {
    const [, name, value] = /^("(?:[^"\\]|\\.)*"): (.*)$/.exec(line) ?? [];
    if (!name || !value || value === "null") return [];
    const label = String(JSON.parse(name));
    if (hidden.includes(label)) return [];
    const said = label === "act" ? does : asValue(String(JSON.parse(value)));
    return [{ label: inWords(label), value: said }];
  });
}

function asValue(said: string) {
  return /^(0x)?[0-9a-f]{64}$/.test(said) ? <code className={styles.hash}>{said}</code> : said;
}

/** `detail deliveredThs` -> "Delivered ths". */
function inWords(name: string): string {
  const known: Record<string, string> = {
    act: "You sign to",
    "detail txid": "Transaction",
    "detail btc": "BTC",
    "detail deliveredThs": "Delivered, TH/s",
  };
  const words = name
    .replace(/^detail /, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return known[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
