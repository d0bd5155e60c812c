/** A run of words within a paragraph. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "strong"; text: string }
  | { kind: "link"; text: string; href: string };

export type Block = { kind: "paragraph"; inlines: Inline[] } | { kind: "list"; items: Inline[][] };

/**
 * Reads the simple formatting that operators write: paragraphs divided by an empty line, lines that begin
 * with `- `, `**strong**` and `[words](address)`. There is no HTML in it: a tag stands there as it was typed.
 */
export function parseFormatted(source: string): Block[] {
  const paragraphs = source
    .replaceAll("\r\n", "\n")
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.trim());
  return paragraphs.filter((paragraph) => paragraph !== "").flatMap(blocksOf);
}

/** A paragraph's lines: those with a hyphen make lists, the others run together. */
function blocksOf(paragraph: string): Block[] {
  const blocks: Block[] = [];
  for (const line of paragraph.split("\n").map((each) => each.trim())) {
    const item = /^[-*•]\s+(.*)$/.exec(line)?.[1];
    const last = blocks.at(-1);
    if (item !== undefined) {
      if (last?.kind === "list") last.items.push(inlinesOf(item));
      else blocks.push({ kind: "list", items: [inlinesOf(item)] });
    } else if (last?.kind === "paragraph") {
      last.inlines.push({ kind: "text", text: " " }, ...inlinesOf(line));
    } else {
      blocks.push({ kind: "paragraph", inlines: inlinesOf(line) });
    }
  }
  return blocks;
}

/** An address may hold brackets of its own, as encyclopedias' do. */
const marks = /\*\*([^*]+)\*\*|\[([^\][]+)\]\(((?:[^()\s]|\([^()\s]*\))+)\)/g;

function inlinesOf(line: string): Inline[] {
  const inlines: Inline[] = [];
  let end = 0;
  for (const match of line.matchAll(marks)) {
    const [whole, strong, words = "", href = ""] = match;
    if (match.index > end) inlines.push({ kind: "text", text: line.slice(end, match.index) });
    if (strong !== undefined) inlines.push({ kind: "strong", text: strong });
    else if (isSafeHref(href)) inlines.push({ kind: "link", text: words, href });
    else inlines.push({ kind: "text", text: words });
    end = match.index + whole.length;
  }
  if (end < line.length) inlines.push({ kind: "text", text: line.slice(end) });
  return inlines;
}

/** Where a link may lead: to this site, to an https address, to a mailbox. Never into a script. */
export function isSafeHref(href: string): boolean {
  const isAllowed = /^(?:https:\/\/[^\s\\]+|mailto:[^\s\\]+|\/(?![/\\])[^\s\\]*|#[^\s\\]*)$/.test(
    href,
  );
  // `https://host:port` looks like an address and is none: making it whole would throw.
  return isAllowed && URL.canParse(href, "https://site.example");
}

/** The words alone, for search, descriptions and structured data. */
export function plainText(blocks: readonly Block[]): string {
  const words = (inlines: Inline[]) => inlines.map(({ text }) => text).join("");
  return blocks
    .map((block) =>
      block.kind === "list" ? block.items.map(words).join("\n") : words(block.inlines),
    )
    .join("\n");
}

/** The same as HTML with absolute links, for readers elsewhere: a feed. */
export function toHtml(blocks: readonly Block[], siteUrl: string): string {
  const inline = (each: Inline) => {
    const words = escapeMarkup(each.text);
    if (each.kind === "strong") return `<strong>${words}</strong>`;
    if (each.kind === "text") return words;
    return `<a href="${escapeMarkup(new URL(each.href, siteUrl).href)}">${words}</a>`;
  };
  const run = (inlines: Inline[]) => inlines.map(inline).join("");
  return blocks
    .map((block) =>
      block.kind === "list"
        ? `<ul>${block.items.map((item) => `<li>${run(item)}</li>`).join("")}</ul>`
        : `<p>${run(block.inlines)}</p>`,
    )
    .join("");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand in XML and HTML: escaped, and without the characters that XML has no place for. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(controls, "")
    .replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
