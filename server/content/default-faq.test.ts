import { expect, test } from "vitest";
import { termWords } from "#core/term-words.ts";
import { parseFormatted, plainText } from "#core/text/formatted-text.ts";
import { fillPlaceholders, unknownPlaceholders } from "#core/text/placeholders.ts";
import { contentLimits } from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { searchFaq } from "./search-faq.ts";

test("answers at least twenty questions, each at an address of its own", () => {
  expect(defaultFaq.length).toBeGreaterThanOrEqual(20);
  expect(new Set(defaultFaq.map(({ slug }) => slug)).size).toBe(defaultFaq.length);
  expect(new Set(defaultFaq.map(({ question }) => question)).size).toBe(defaultFaq.length);
});

test.each(defaultFaq)("$slug can be saved and shown as it is", ({ slug, question, answer }) => {
  expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(slug.length).toBeLessThanOrEqual(80);
  expect(question.length).toBeLessThanOrEqual(contentLimits.question);
  expect(answer.length).toBeLessThanOrEqual(contentLimits.text);
  expect(question).toMatch(/\?$/);
  expect(unknownPlaceholders(question + answer)).toEqual([]);
  const shown = plainText(parseFormatted(fillPlaceholders(answer)));
  expect(shown).not.toMatch(/[{}]|\]\(|\*\*/);
});

test("no answer writes a number of the terms by hand", () => {
  const numbers = new Set(
    Object.values(termWords()).filter((words) => /\d/.test(words) && words.length > 2),
  );
  for (const { slug, answer } of defaultFaq)
    for (const words of numbers) expect(answer.includes(words), `${slug}: ${words}`).toBe(false);
});

/** What the specification says stands in the FAQ. */
const stated = [
  "The minimum withdrawal is 0.0007 BTC".toLowerCase(),
  "mining starts at 00:00 utc and coins are credited daily",
  "withdrawal requests are processed the next day (utc)",
  "a contract is cancelled if the balance cannot cover the maintenance fee for 3 days (termination clause: 72 hours)",
  "fixed daily fee of 0.0137%",
  "not less than 0.00000685 btc",
  "after 30 days with no active contract",
  "7 days' notice",
  "up to 30 days",
  "raised within 30 days",
  "an offer within 30 days",
  "reject it within 14 days",
  "limited to $100",
  "over 6 months",
];

test.each(stated)("the FAQ says: %s", (words) => {
  const all = defaultFaq.map(({ answer }) => fillPlaceholders(answer).toLowerCase()).join("\n");
  expect(all).toContain(words);
});

test("links lead to pages of this site", () => {
  const hrefs = defaultFaq.flatMap(({ answer }) =>
    [...answer.matchAll(/\]\(([^)]+)\)/g)].map(([, href]) => href ?? ""),
  );
  for (const href of hrefs)
    expect(href).toMatch(
      /^\/(?:about|account\/deposit|calculator|contact|forgotpassword|glossary|plans|prices|receipt|services|signup|terms)(?:\?tab=[a-z]+)?(?:#[a-z-]+)?$/,
    );
});

/** What customers searched for, in their own words. */
const searched =
  `KYC, 2FA, two-factor, ROI, refund, identity, support, scam, bonus, halving, withdraw, deposits, fees, password reset,
  credit card, USDT, minimum withdrawal, tax, referral, delete account, passkey, help, profit, electricity, hashrate,
  verifying my identity, cancelled contract, how long does a withdrawal take`.split(/,\s*/);

test.each(searched)("a search for %o finds a question whole", (search) => {
  const entries = defaultFaq.map((entry) => ({ ...entry, answer: fillPlaceholders(entry.answer) }));
  const { places, isWhole } = searchFaq(entries, search);
  expect(isWhole).toBe(true);
  expect(places.length).toBeLessThan(defaultFaq.length / 2);
});

test.each([
  ["KYC", "verification"],
  ["2FA", "how-is-my-password-kept"],
  ["ROI", "is-profit-guaranteed"],
  ["refund", "can-i-buy-a-contract-today"],
  ["scam", "payment-before-a-withdrawal"],
  ["bonus", "stocks-leverage-referrals"],
  ["support", "how-to-complain"],
])("a search for %o finds %s", (search, slug) => {
  const found = searchFaq([...defaultFaq], search).places.map((at) => defaultFaq[at]?.slug);
  expect(found).toContain(slug);
});
