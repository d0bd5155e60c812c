import { diffWords, longestCommon, type Piece } from "./diff-words.ts";
import { withoutMarks } from "./inline.ts";
import type { LegalBlock, LegalDocument, LegalSection } from "./legal-document.ts";

type Fate = "same" | "changed" | "added" | "removed";

export interface ComparedLine {
  kind: "heading" | "paragraph" | "item" | "row";
  fate: Fate;
  pieces: Piece[];
}

export interface ComparedSection {
  id: string;
  title: string;
  fate: Fate;
  lines: ComparedLine[];
}

export interface Comparison {
  sections: ComparedSection[];
  /** Lines (paragraphs, list entries, table rows, headings) by what became of them. */
  counts: Record<Fate, number>;
}

interface Line {
  kind: ComparedLine["kind"];
  text: string;
}

/** The opening is compared like a section, without a place of its own in an address. */
const openingId = "opening";

/**
 * What changed from one version of a text to another, as people read it: section by section, found again by
 * their ids; in each the lines that stayed, went or came; and within a changed line the words.
 */
export function compareDocuments(before: LegalDocument, after: LegalDocument): Comparison {
  const [old, young] = [withOpening(before), withOpening(after)];
  const compared = inOrderOfBoth(old, young).map((id) =>
    compareSections(
      old.find((section) => section.id === id),
      young.find((section) => section.id === id),
    ),
  );
  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  for (const { fate } of compared.flatMap(({ lines }) => lines)) counts[fate]++;
  return { sections: compared, counts };
}

function withOpening({ title, opening, sections }: LegalDocument): LegalSection[] {
  return [{ id: openingId, title, blocks: opening }, ...sections];
}

/** The new order; a section that went stands where it stood, after the one that was before it. */
function inOrderOfBoth(old: LegalSection[], young: LegalSection[]): string[] {
  const ids = young.map(({ id }) => id);
  old.forEach(({ id }, index) => {
    if (ids.includes(id)) return;
    const previous = old[index - 1]?.id;
    ids.splice(previous === undefined ? 0 : ids.indexOf(previous) + 1, 0, id);
  });
  return ids;
}

function compareSections(
  old: LegalSection | undefined,
  young: LegalSection | undefined,
): ComparedSection {
  const lines = compareLines(old ? linesOf(old) : [], young ? linesOf(young) : []);
  const { id, title } = (young ?? old) as LegalSection;
  const changed = lines.some(({ fate }) => fate !== "same");
  const fate = !old ? "added" : !young ? "removed" : changed ? "changed" : "same";
  return { id, title, fate, lines };
}

function linesOf({ title, blocks }: LegalSection): Line[] {
  return [{ kind: "heading", text: title }, ...blocks.flatMap(linesOfBlock)];
}

function linesOfBlock(block: LegalBlock): Line[] {
  if (typeof block === "string") return [{ kind: "paragraph", text: withoutMarks(block) }];
  if ("list" in block)
    return block.list.map((entry) => ({ kind: "item", text: withoutMarks(entry) }));
  return [block.head, ...block.rows].map((row) => ({
    kind: "row",
    text: row.map(withoutMarks).join(" · "),
  }));
}

function compareLines(old: Line[], young: Line[]): ComparedLine[] {
  const common = longestCommon(old, young, (a, b) => a.kind === b.kind && a.text === b.text);
  const compared: ComparedLine[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...common, [old.length, young.length] as const]) {
    compared.push(...compareGap(old.slice(i, x), young.slice(j, y)));
    compared.push(...old.slice(x, x + 1).map((line) => whole(line, "same")));
    [i, j] = [x + 1, y + 1];
  }
  return compared;
}

/** Lines without an equal: those that are much alike are one changed line, the others came or went. */
function compareGap(old: Line[], young: Line[]): ComparedLine[] {
  const alike = longestCommon(old, young, (a, b) => a.kind === b.kind && areAlike(a.text, b.text));
  const compared: ComparedLine[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...alike, [old.length, young.length] as const]) {
    compared.push(...old.slice(i, x).map((line) => whole(line, "removed")));
    compared.push(...young.slice(j, y).map((line) => whole(line, "added")));
    const [before, after] = [old[x], young[y]];
    if (before && after)
      compared.push({
        kind: after.kind,
        fate: "changed",
        pieces: diffWords(before.text, after.text),
      });
    [i, j] = [x + 1, y + 1];
  }
  return compared;
}

function whole({ kind, text }: Line, fate: "same" | "added" | "removed"): ComparedLine {
  return { kind, fate, pieces: [{ kind: fate, text }] };
}

/** Whether most of the longer text's words stand in the other one too. */
function areAlike(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => text.toLowerCase().match(/[\p{L}\p{N}.]+/gu) ?? []);
  const rest = [...(right ?? [])];
  let common = 0;
  for (const word of left ?? []) {
    const place = rest.indexOf(word);
    if (place < 0) continue;
    rest.splice(place, 1);
    common++;
  }
  return common / Math.max(left?.length ?? 0, right?.length ?? 0, 1) >= 0.5;
}
