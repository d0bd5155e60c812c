import { dayInWords } from "./day-in-words.ts";
import { legalAddress, plainTextAddress } from "./legal-address.ts";
import type { LegalView } from "./legal-view.ts";
import styles from "./versions.module.css";

/** Every version of the text: when it began, what changed, its hash, and the ways to read and compare it. */
export function Versions({ view: { document, shown, versions } }: { view: LegalView }) {
  return (
    <section className={styles.versions} aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      {versions.length > 1 ? null : (
        <p>This is the first version. There is nothing to compare it with yet.</p>
      )}
      <ol className={styles.list} reversed>
        {versions.map(({ version, effectiveFrom, summary, sha256 }) => (
          <li key={version}>
            <div>
              <strong>{version}</strong> from{" "}
              <time dateTime={effectiveFrom}>{dayInWords(effectiveFrom)}</time>. {summary}
            </div>
            <div className={styles.links}>
              {version === shown.version ? (
                <span>Shown here</span>
              ) : (
                <>
                  <a href={legalAddress(document.id, { version })}>Read version {version}</a>
                  <a href={compareAddress(document.id, shown.version, version, versions)}>
                    Compare it with {shown.version}
                  </a>
                </>
              )}
              <a href={plainTextAddress(document.id, version)}>Plain text of {version}</a>
            </div>
            <div className={styles.hash}>
              SHA-256 <code>{sha256}</code>
            </div>
          </li>
        ))}
      </ol>
      <p className={styles.note}>
        The hash is of the plain text. If you save both, you can tell later whether a word was
        changed.
      </p>
    </section>
  );
}

/** The older of the two is on the left, whichever is being read. */
function compareAddress(
  id: LegalView["document"]["id"],
  shown: string,
  other: string,
  newestFirst: LegalView["versions"],
): string {
  const place = (version: string) => newestFirst.findIndex((each) => each.version === version);
  const [newer, older] = place(other) > place(shown) ? [shown, other] : [other, shown];
  const isNewest = newestFirst[0]?.version === newer;
  return legalAddress(id, { compare: older, ...(isNewest ? {} : { version: newer }) });
}
