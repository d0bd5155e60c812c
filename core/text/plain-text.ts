/** Control characters, line breaks of every kind, and marks that turn the reading direction: no line of text needs them. */
const breaksLines = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu;
const breaksText = /[\u202A-\u202E\u2066-\u2069]|(?![\n\t])\p{Cc}/gu;

/** A text as one line: what could begin another header, or hide how it reads, becomes a space. */
export function oneLine(text: string): string {
  return text.replace(breaksLines, " ").replace(/ {2,}/g, " ").trim();
}

/** A text of lines with nothing in it but what a person typed. Line ends are \n. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(breaksText, "").trim();
}

/** The paragraphs of a text: what blank lines part. */
export function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}
