import { Panel } from "#app/ui/page/panel.tsx";
import { diffWords } from "#core/legal/diff-words.ts";
import type { ContentKind } from "#server/content/content.ts";
import type { ContentVersion } from "#server/content/find-piece-with-history.ts";
import styles from "./piece.module.css";
import { asFields, type TypedFields } from "./typed-fields.ts";

interface ComparisonProps {
  kind: ContentKind;
  older: ContentVersion;
  newer: ContentVersion;
  /** The newer one is what stands in the form, not a version yet. */
  isTyped?: boolean;
}

const labels: Record<ContentKind, [keyof TypedFields, string][]> = {
  company: [
    ["name", "Name"],
    ["registration", "Registration"],
    ["postalAddress", "Postal address"],
    ["email", "E-mail"],
    ["phone", "Phone"],
    ["officeHours", "Office hours"],
  ],
  faq: [
    ["question", "Question"],
    ["answer", "Answer"],
  ],
  announcement: [
    ["title", "Title"],
    ["text", "Text"],
    ["publishedAt", "Shown from (UTC)"],
    ["expiresAt", "Shown until (UTC)"],
    ["pinned", "Pinned"],
  ],
};

/** What changed from one version to another, word by word. */
export function Comparison({ kind, older, newer, isTyped = false }: ComparisonProps) {
  const before = asFields(older.body);
  const after = isTyped ? (newer.body as TypedFields) : asFields(newer.body);
  const title = isTyped
    ? `From version ${older.version} to what you typed`
    : `From version ${older.version} to version ${newer.version}`;
  return (
    <Panel title={title}>
      <dl className={styles.comparison}>
        {labels[kind].map(([name, label]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              <Words before={before[name] ?? ""} after={after[name] ?? ""} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Words({ before, after }: { before: string; after: string }) {
  const pieces = diffWords(before.replaceAll("\r\n", "\n"), after.replaceAll("\r\n", "\n"));
  if (pieces.length === 0) return <em>Empty</em>;
  return pieces.map(({ kind, text }, index) => {
    const Part = kind === "same" ? "span" : kind === "added" ? "ins" : "del";
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a comparison have no other name
    return <Part key={index}>{text}</Part>;
  });
}
