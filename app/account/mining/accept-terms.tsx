import { CheckField } from "#app/ui/controls/check-field.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import styles from "./mining.module.css";

export interface TermsInForce {
  version: string;
  sha256: string;
}

type Field = Parameters<typeof CheckField>[0];

/** The tick without which nothing is sold, next to the text that it is about. */
export function AcceptTerms({ terms, ...field }: { terms: TermsInForce } & Omit<Field, "label">) {
  return (
    <CheckField
      {...field}
      label={
        <>
          I have read the{" "}
          <a href="/terms" target="_blank" rel="noreferrer">
            terms, version {terms.version}
          </a>
          , and know that a contract can end with a loss
        </>
      }
    />
  );
}

export function TermsHash({ sha256 }: { sha256: string }) {
  return (
    <div className={styles.termsHash}>
      <span className={styles.quiet}>SHA-256 of the terms</span>
      <CopyField text={sha256} label="SHA-256 of the terms" short />
    </div>
  );
}
