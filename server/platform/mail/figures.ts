import { html } from "hono/html";

const units = "BTC|ETH|USDT|[GTPE]H/s|satoshis?|UTC|days?|hours?|minutes?";
const moment = String.raw`\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}(?:,? \d{2}:\d{2})?(?: UTC)?`;
const isoDay = String.raw`\d{4}-\d{2}-\d{2}`;
const figure = new RegExp(
  String.raw`${moment}|${isoDay}|[−+-]?\$?\d[\d,.]*\d(?: (?:${units})\b| ?%)?|[−+-]?\$?\d(?: (?:${units})\b| ?%)?|\b[GTPE]H/s\b`,
  "g",
);

/** Longer than any figure: an address or a transaction, which may break anywhere. */
const longWord = /\S{31}/;

export function isLong(text: string): boolean {
  return longWord.test(text);
}

/** A text whose amounts, dates and units stay on one line, whatever the width. */
export function unbroken(text: string) {
  if (isLong(text)) return text;
  const parts = [];
  let after = 0;
  for (const { 0: found, index } of text.matchAll(figure)) {
    parts.push(text.slice(after, index));
    parts.push(html`<span style="white-space:nowrap">${found}</span>`);
    after = index + found.length;
  }
  return [...parts, text.slice(after)];
}
