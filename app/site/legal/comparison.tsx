import type { ComparedLine, ComparedSection, Comparison } from "#core/legal/compare-documents.ts";
import type { Piece } from "#core/legal/diff-words.ts";
import styles from "./comparison.module.css";
import { legalAddress } from "./legal-address.ts";
import type { LegalView, VersionFacts } from "./legal-view.ts";

/** What changed between two versions, word by word, for people: marked by sign and line, not by colour alone. */
export function ComparisonText({
  view: { document, shown },
  compared,
}: {
  view: LegalView;
  compared: { with: VersionFacts; comparison: Comparison };
}) {
  const { sections, counts } = compared.comparison;
  const changed = counts.changed + counts.added + counts.removed;
  return (
    <div className={styles.comparison}>
      <p className={styles.summary}>
        What changed from version {compared.with.version} to version {shown.version}:{" "}
        {changed === 0 ? "nothing" : inWords(counts)}.{" "}
        <a href={legalAddress(document.id, { version: shown.version })}>
          Read version {shown.version} alone
        </a>
      </p>
      <p className={styles.key}>
        <ins>Added words</ins> are underlined, <del>removed words</del> are struck through. What
        came or went as a whole has a + or − in front.
      </p>
      {sections.map((section) => (
        <Section key={section.id} of={section} />
      ))}
    </div>
  );
}

function inWords({ changed, added, removed }: Comparison["counts"]): string {
  const paragraphs = (count: number) => `${count} ${count === 1 ? "paragraph" : "paragraphs"}`;
  return [
    changed > 0 && `${paragraphs(changed)} changed`,
    added > 0 && `${paragraphs(added)} added`,
    removed > 0 && `${paragraphs(removed)} removed`,
  ]
    .filter((part) => part !== false)
    .join(", ");
}

const fates: Record<ComparedSection["fate"], string> = {
  same: "unchanged",
  changed: "changed",
  added: "added",
  removed: "removed",
};

/** An unchanged section is folded away, and can be opened. */
function Section({ of: { id, title, fate, lines } }: { of: ComparedSection }) {
  const [heading, ...rest] = lines;
  if (fate === "same")
    return (
      <details className={styles.same} id={id}>
        <summary>
          {title} <span className={styles.fate}>unchanged</span>
        </summary>
        <Lines of={rest} />
      </details>
    );
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        {heading ? <Pieces of={heading.pieces} /> : title}{" "}
        <span className={styles.fate}>{fates[fate]}</span>
      </h2>
      <Lines of={rest} />
    </section>
  );
}

function Lines({ of: lines }: { of: ComparedLine[] }) {
  return lines.map(({ kind, fate, pieces }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move, and equal ones may stand twice
    <p key={index} className={styles.line} data-kind={kind} data-fate={fate}>
      <Pieces of={pieces} />
    </p>
  ));
}

function Pieces({ of: pieces }: { of: Piece[] }) {
  return pieces.map(({ kind, text }, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move, and equal ones may stand twice
    if (kind === "added") return <ins key={index}>{text}</ins>;
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    if (kind === "removed") return <del key={index}>{text}</del>;
    return text;
  });
}
