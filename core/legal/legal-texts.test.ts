import { expect, test } from "vitest";
import { termWords } from "../term-words.ts";
import { type Constants, constants } from "../terms.ts";
import { parseInline } from "./inline.ts";
import { type LegalBlock, type LegalDocument, legalIds } from "./legal-document.ts";
import { legalTexts } from "./legal-texts.ts";
import { toPlainText } from "./plain-text.ts";

/** Section 9 of the specification, as it is written there. */
const specified = [
  ["minimum password length", "8 characters"],
  ["minimum age", "at least 18 years old"],
  ["no US residents", "not available to US residents"],
  ["sign-in and register redirect delay", "after 2 seconds"],
  ["navigation spinner", "3 seconds"],
  ["widget injection delay", "100 ms"],
  ["amounts shown with 2 decimals", "2 decimals"],
  ["new profile profit", "$0.00"],
  ["carousel interval", "5 seconds"],
  ["copy confirmation", "2 seconds"],
  ["toast auto-close", "3 seconds"],
  ["earlier toasts", "5 seconds"],
  ["table page sizes", "10, 25, 50 or 100"],
  ["sidebar breakpoint", "768px"],
  ["minimum withdrawal", "0.0007 BTC"],
  ["mining starts at", "Mining starts at 00:00 UTC, and coins are credited daily"],
  ["withdrawals", "Withdrawal requests are processed the next day (UTC)"],
  ["unpaid maintenance", "cannot cover the maintenance fee for 3 days, the contract is cancelled"],
  ["termination clause", "termination clause: 72 hours"],
  ["fixed daily fee", "fixed daily fee of 0.0137%"],
  ["its minimum", "not less than 0.00000685 BTC"],
  ["when it begins", "After 30 days with no active contract"],
  ["maintenance fee changes", "at least 7 days' notice"],
  ["card purchases", "after a purchase by card for up to 30 days"],
  ["disputes raised", "raise a dispute within 30 days"],
  ["offer", "an offer within 30 days"],
  ["rejection", "reject the offer within 14 days"],
  ["liability cap", "limited to $100"],
  ["force majeure", "lasts over 6 months"],
  ["ticker symbols", "BTC, ETH, XRP, DOGE and SOL"],
];

test.each(specified)("the terms carry the specification's constant: %s", (_what, words) => {
  expect(toPlainText(legalTexts().terms)).toContain(words);
});

/** Not a customer's business: how long an invitation to the staff is good. */
const notInTheTexts = ["terms.operatorInvitationHours"];

test.each(everyConstant())("a changed constant changes the terms: %s", (name, changed) => {
  const before = toPlainText(legalTexts().terms);
  const after = toPlainText(legalTexts(changed).terms);
  expect(
    after === before,
    `${name}: give it words in core/term-words.ts and a row in terms-numbers.ts`,
  ).toBe(notInTheTexts.includes(name));
});

test("every word that a number has in a text stands in the terms", () => {
  const text = toPlainText(legalTexts().terms);
  for (const [name, words] of Object.entries(termWords()))
    expect(text.includes(words), `${name}: ${words}`).toBe(true);
});

test("sections can be linked to: ids are unique and every link within a text leads somewhere", () => {
  const texts = legalTexts();
  const anchors = Object.fromEntries(
    legalIds.map((id) => [id, texts[id].sections.map((section) => section.id)]),
  );
  for (const id of legalIds) {
    expect(new Set(anchors[id]).size).toBe(anchors[id]?.length);
    for (const href of linksOf(texts[id])) expect(leads(href, id, anchors), href).toBe(true);
  }
});

test("no text speaks of earnings as if they were sure", () => {
  for (const document of Object.values(legalTexts())) {
    const text = toPlainText(document);
    expect(text).not.toMatch(
      /risk[- ]free|passive income|guaranteed (?:profit|return|income)|% (?:per|a) day/i,
    );
  }
});

/** Whether a link within the text `id` leads to a section, a text or a page that there can be. */
function leads(href: string, id: string, anchors: Record<string, string[]>): boolean {
  const [, path = "", tab = id, anchor] = /^([^?#]*)(?:\?tab=(\w+))?(?:#(.+))?$/.exec(href) ?? [];
  if (path !== "" && path !== "/terms") return /^\/[a-z]+$/.test(path);
  return anchors[tab] !== undefined && (anchor === undefined || anchors[tab].includes(anchor));
}

function linksOf({ opening, sections }: LegalDocument): string[] {
  const words = [...opening, ...sections.flatMap(({ blocks }) => blocks.flatMap(wordsOf))];
  return words.flatMap(parseInline).flatMap(({ href }) => href ?? []);
}

function wordsOf(block: LegalBlock): string[] {
  if (typeof block === "string") return [block];
  return "list" in block ? block.list : [block.head, ...block.rows].flat();
}

/** Each constant of core/terms.ts by its name, with a copy of all of them in which it is another one. */
function everyConstant(): Array<[string, Constants]> {
  return Object.entries(constants).flatMap(([group, values]): Array<[string, Constants]> => {
    if (typeof values !== "object" || Array.isArray(values))
      return [[group, { ...constants, [group]: another(values) }]];
    return Object.entries(values).map(([name, value]) => [
      `${group}.${name}`,
      { ...constants, [group]: { ...values, [name]: another(value) } },
    ]);
  });
}

function another(value: unknown): unknown {
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "number") return value + 1000;
  if (Array.isArray(value)) return value.slice(1);
  return `${value}x`;
}
