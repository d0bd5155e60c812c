import { Notice } from "#app/ui/page/notice.tsx";
import { dayInWords } from "./day-in-words.ts";
import { legalAddress } from "./legal-address.ts";
import type { LegalView } from "./legal-view.ts";
import styles from "./version-line.module.css";

/** Which version this is and since when it applies, and what a reader must know if it is not the one in force. */
export function VersionLine({ view }: { view: LegalView }) {
  const { shown, versions, inForce, document } = view;
  const newest = versions[0] ?? shown;
  const begins = shown.version === inForce.version ? "in force since" : "in force from";
  return (
    <>
      <p className={styles.line}>
        Version {shown.version}, {begins}{" "}
        <time dateTime={shown.effectiveFrom}>{dayInWords(shown.effectiveFrom)}</time>
      </p>
      <div className={styles.notices}>
        {shown.version === inForce.version ? null : (
          <Notice tone="warning" title={`This is not the version in force, ${inForce.version}`}>
            <a href={legalAddress(document.id)}>Read the version in force</a>
          </Notice>
        )}
        {newest.effectiveFrom > inForce.effectiveFrom && shown.version !== newest.version ? (
          <Notice
            title={`Version ${newest.version} applies from ${dayInWords(newest.effectiveFrom)}`}
          >
            {newest.summary}{" "}
            <a
              href={legalAddress(document.id, {
                version: newest.version,
                compare: inForce.version,
              })}
            >
              Read what changes
            </a>
          </Notice>
        ) : null}
        {view.isAsPublished ? null : (
          <Notice
            tone="error"
            title="This text is not the one that was published under this number"
          >
            It was changed without a new version. Ask the operator which one applies.
          </Notice>
        )}
      </div>
    </>
  );
}
