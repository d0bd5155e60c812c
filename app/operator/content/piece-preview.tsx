import { AnnouncementEntry } from "#app/ui/content/news-entry.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Question } from "#app/ui/page/question.tsx";
import { fillPlaceholders } from "#core/text/placeholders.ts";
import type { ContentKind } from "#server/content/content.ts";
import styles from "./piece.module.css";
import type { TypedFields } from "./typed-fields.ts";

interface PiecePreviewProps {
  kind: ContentKind;
  typed: TypedFields;
  now: Date;
}

/** A text as it stands in the form, drawn by the site's own parts. */
export function PiecePreview({ kind, typed, now }: PiecePreviewProps) {
  if (kind === "company") return <CompanyPreview typed={typed} />;
  if (kind === "faq") {
    return <Question question={shown(typed.question)} answer={shown(typed.answer)} open />;
  }
  return <AnnouncementPreview typed={typed} now={now} />;
}

/** As it will stand there; dots where nothing is typed yet. */
function shown(text = ""): string {
  return text.trim() === "" ? "…" : fillPlaceholders(text);
}

function AnnouncementPreview({ typed, now }: Pick<PiecePreviewProps, "typed" | "now">) {
  const { title, text, publishedAt = "", pinned = "" } = typed;
  const from = new Date(`${publishedAt}Z`);
  const at = Number.isNaN(from.getTime()) ? now : from;
  const ageMs = now.getTime() - at.getTime();
  return (
    <>
      {ageMs < 0 ? (
        <p className={layout.note}>
          Shown from {at.toISOString().slice(0, 16).replace("T", " ")} UTC.
        </p>
      ) : null}
      <ol className={layout.plain}>
        <AnnouncementEntry
          title={shown(title)}
          text={shown(text)}
          pinned={pinned !== ""}
          publishedAt={at}
          ageMs={Math.max(0, ageMs)}
        />
      </ol>
    </>
  );
}

function CompanyPreview({ typed }: { typed: TypedFields }) {
  const lines = (text: string | undefined) =>
    text?.trim() ? <span className={styles.lines}>{text.trim()}</span> : null;
  const known: [string, string | undefined][] = [
    ["Name", typed.name],
    ["Registration", typed.registration],
    ["Address", typed.postalAddress],
    ["E-mail", typed.email],
    ["Phone", typed.phone],
    ["Office hours", typed.officeHours],
  ];
  const facts = known.flatMap(([label, text]) => {
    const value = lines(text);
    return value ? [{ label, value }] : [];
  });
  if (facts.length === 0) return <p className={layout.note}>Nothing is shown of the company.</p>;
  return <Facts facts={facts} />;
}
