/** A run of words within a paragraph: plain, linked, or a name that stands in code. */
export interface Inline {
  text: string;
  href?: string;
  code?: true;
}

const marks = /\[([^\]]+)\]\(([^)\s]+)\)|`([^`]+)`/g;

/** Takes the words of a paragraph apart into plain runs, links and code. */
export function parseInline(words: string): Inline[] {
  const runs: Inline[] = [];
  let end = 0;
  for (const match of words.matchAll(marks)) {
    if (match.index > end) runs.push({ text: words.slice(end, match.index) });
    const [all, label, href, code] = match;
    if (label !== undefined && href !== undefined) runs.push({ text: label, href });
    else if (code !== undefined) runs.push({ text: code, code: true });
    end = match.index + all.length;
  }
  if (end < words.length) runs.push({ text: words.slice(end) });
  return runs;
}

/** The words alone, as they are read. */
export function withoutMarks(words: string): string {
  return parseInline(words)
    .map(({ text }) => text)
    .join("");
}
