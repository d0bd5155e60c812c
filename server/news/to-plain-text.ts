import sanitizeHtml from "sanitize-html";

/** Longer ones are cut before they are looked at: nobody shows more than a few lines. */
const lookedAt = 20_000;

/**
 * The words of a stranger's markup, in one line: no tags, no script's or style's content, no characters that
 * cannot be seen or that turn the writing round, no letters with marks piled over the lines around them. Cut at a
 * word when it is longer than `maxLength`.
 */
export function toPlainText(markup: string, maxLength: number): string {
  const spaced = markup
    .slice(0, lookedAt)
    .replace(/<(?=\/?(?:p|div|br|li|ul|ol|h\d|tr|td|dd|dt)\b)/gi, " <");
  const escaped = sanitizeHtml(spaced, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: [
      "script",
      "style",
      "textarea",
      "option",
      "noscript",
      "svg",
      "math",
      "iframe",
      "template",
    ],
  });
  const text = escaped
    .replace(/&(lt|gt|quot|amp);/g, (_, name: string) => signs[name] ?? "")
    .toWellFormed()
    .replace(unseen, " ")
    .replace(piled, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return cut(text, maxLength);
}

const signs: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&" };

const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\uffff]/g;

/** No writing needs more marks on one letter. */
const piled = /(\p{M}{4})\p{M}+/gu;

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  const space = head.lastIndexOf(" ");
  return `${(space > maxLength / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}
