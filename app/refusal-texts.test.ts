import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { contact } from "./account/refusals/contact.ts";
import { contracts } from "./account/refusals/contracts.ts";
import { deposits } from "./account/refusals/deposits.ts";
import { kyc } from "./account/refusals/kyc.ts";
import { settings } from "./account/refusals/settings.ts";
import { cancelling, withdrawals } from "./account/refusals/withdrawals.ts";
import { questions } from "./auth/passkey-question.ts";
import { links } from "./auth/say-link.ts";
import { resolutionForm } from "./operator/refusals/deposits.ts";
import { statementFile } from "./operator/refusals/payouts.ts";
import { countForm } from "./operator/refusals/reconciliation.ts";
import { consoleTexts } from "./operator/refusals/say-refusal.ts";
import type { Texts } from "./run-act.ts";

const root = path.resolve(import.meta.dirname, "..");

const textsOf = {
  operator: keysOf([consoleTexts, countForm, resolutionForm, statementFile]),
  account: keysOf([
    ...[deposits, settings, kyc, cancelling],
    ...[withdrawals("BTC", 1n), contracts, contact],
  ]),
  auth: keysOf([links, questions]),
};

const ofTheLedger = [
  ...["already-reversed", "empty-leg", "foreign-leg", "key-reused", "not-reversible"],
  ...["repeated-leg", "too-few-legs", "unbalanced", "unknown-account", "unknown-asset"],
  ...["unknown-transfer", "unlisted-movement"],
].map((reason) => `ledger/${reason}`);

const ofMfa = [
  ...["no-passkeys-here", "passkey-refused", "set-up-again", "sign-in-again", "wrong-code"],
].map((reason) => `identity/${reason}`);

const isFault = "a fault of ours: the request fails, and the log names it";
const isAsked = "said by the page that asks for a second factor (app/say-factor.ts)";
const isCrowded = "said in the words of a limit, with when to come back";

/** Codes without a text in their section's tables, and why they need none. */
const textless: Record<"operator" | "account", Record<string, string>> = {
  operator: {
    ...same(ofTheLedger, isFault),
    ...same([...ofMfa, "identity/wrong-password"], isAsked),
    "platform/busy": isCrowded,
    "mining/correction-too-early": "only the worker corrects a day",
    "kyc/document-erased": "the file's address answers 410",
    "kyc/document-unreadable": "the file's address answers 500",
    ...same(
      [
        ...["account-closed", "credit-taken-back", "not-enough-hashrate", "plan-not-offered"].map(
          (reason) => `contracts/${reason}`,
        ),
        ...["account-closed", "address-known", "address-not-in-the-book", "link-expired"].map(
          (reason) => `withdrawals/${reason}`,
        ),
        ...["contracts/sales-stopped", "withdrawals/final-lately", "withdrawals/mfa-needed"],
        ...["identity/changed-meanwhile", "identity/link-*", "files/too-many"],
      ],
      "only a customer's own act meets it",
    ),
  },
  account: {
    ...same(
      [...ofTheLedger, "ledger/customers-not-covered", "ledger/insufficient-equity"],
      isFault,
    ),
    ...same(ofMfa, isAsked),
    "platform/busy": isCrowded,
    "contracts/quote-expired": "the page answers with a new price",
    "contracts/no-such-quote": "the page looks for it first, and answers 404",
    "contracts/no-such-contract": "the page looks for it first, and answers 404",
    "deposits/amount-out-of-range": "the form's schema lets no such amount pass",
    "statements/taken-out": "the file's address answers 410",
    ...same(
      ["content/not-invited", "content/words-too-long", "content/words-too-short"],
      "the page of the testimonial shows what is so now",
    ),
    ...same(
      ["personal-data/not-leaving", "personal-data/not-too-little"],
      "the page of the closing shows what is so now",
    ),
    ...same(
      ["identity/email-not-available", "identity/link-*", "withdrawals/link-expired"],
      "only a link in a mail meets it",
    ),
    ...same(
      [
        ...["change-in-force", "day-taken", "implausible-maintenance", "reason-missing"].map(
          (reason) => `contracts/${reason}`,
        ),
        ...[
          "change-below-another",
          "reason-names-address",
          "second-person-needed",
          "short-notice",
        ].map((reason) => `contracts/${reason}`),
        "contracts/too-early",
        ...["mfa-not-fresh", "not-permitted", "operator-not-active", "passkey-needed"].map(
          (reason) => `identity/${reason}`,
        ),
        ...["abandonment-proposed", "batch-goes-on", "coins-taken", "customer-changed"].map(
          (reason) => `withdrawals/${reason}`,
        ),
        ...[
          "customer-frozen",
          "customer-owes",
          "held-already",
          "hold-too-long",
          "node-behind",
          "not-lost",
        ].map((reason) => `withdrawals/${reason}`),
        ...[
          "not-an-exception",
          "own-abandonment",
          "own-resolution",
          "proposer-left",
          "resolved-already",
        ].map((reason) => `withdrawals/${reason}`),
        ...["withdrawals/scan-under-way", "withdrawals/second-person-needed"],
      ],
      "only an act of staff meets it",
    ),
  },
};

/** Codes that rooms put together, by their text in the source. */
const spelled: Record<string, string[]> = {
  "withdrawals/${fault}": ["withdrawals/below-minimum", "withdrawals/too-small-to-send"],
  "withdrawals/${read.code}": ["withdrawals/unreadable", "withdrawals/not-signed"],
};

/** What pages are given at run time, so that no import leads there. */
const given = ["server/platform/files/virus-scan.ts", "server/platform/files/open-file-store.ts"];

describe.each(["operator", "account"] as const)("in app/%s", (section) => {
  const met = codesMetBy(section);
  const known = textless[section];

  test("every refusal that an action can meet has a text, or a reason to have none", () => {
    const silent = [...met].filter((code) => !textsOf[section].has(code));
    expect(silent.sort()).toEqual(Object.keys(known).sort());
  });
});

test.each(["operator", "account", "auth"] as const)(
  "no text of app/%s is for a refusal that no act throws",
  (section) => {
    const met = codesMetBy(section);
    expect([...textsOf[section]].filter((code) => !met.has(code))).toEqual([]);
  },
);

test("no docstring names a refusal that nothing throws", () => {
  const files = globSync("server/**/*.ts", { cwd: root }).filter(isSource);
  const thrown = new Set(files.flatMap(codesThrownIn));
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/@throws[^@]*?\*\//gs)].flatMap(([said]) =>
      [...said.matchAll(/`([a-z-]+\/[a-z-]+)`/g)].map(([, code = ""]) => ({ file, code })),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  const isThrown = (code: string) => thrown.has(code) || thrown.has(code.replace(/-[a-z]+$/, "-*"));
  expect(named.filter(({ code }) => !isThrown(code))).toEqual([]);
});

function keysOf(tables: Texts[]): Set<string> {
  return new Set(tables.flatMap((table) => Object.keys(table)));
}

function same(codes: string[], why: string): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, why]));
}

/** All codes thrown in what a section's files import, by whatever way. */
function codesMetBy(section: string): Set<string> {
  const own = globSync(`app/${section}/**/*.{ts,tsx}`, { cwd: root });
  const seen = new Set([...own.filter(isSource), ...given]);
  for (const file of seen) for (const imported of importsOf(file)) seen.add(imported);
  return new Set([...seen].flatMap(codesThrownIn));
}

function isSource(file: string): boolean {
  const isCode = /\.tsx?$/.test(file) && !/\.(test|d)\.tsx?$/.test(file);
  return isCode && existsSync(path.join(root, file));
}

function importsOf(file: string): string[] {
  const text = read(file).replaceAll(/^import type [^;]*;$/gm, "");
  return [...text.matchAll(/"((?:#|\.{1,2}\/)[^"\n]+\.tsx?)"/g)]
    .map(([, name = ""]) =>
      name.startsWith("#") ? name.slice(1) : path.join(path.dirname(file), name),
    )
    .filter(isSource);
}

/** Of a room's table all, since PostgreSQL may name any of its constraints. */
function codesThrownIn(file: string): string[] {
  const text = read(file);
  const isTable = /^server\/[a-z-]+\/(?:[a-z-]+\/)?refusals\.ts$/.test(file);
  const thrown = [...text.matchAll(/(?:Refusal|super|findSent)\([^;]*;/g)].map(([said]) => said);
  return (isTable ? [text] : thrown).flatMap((said) =>
    [...said.matchAll(/["`]([a-z-]+\/[a-z][a-z0-9-]*|[a-z-]+\/[a-z-]*\$\{[^`]+)["`]/g)].flatMap(
      ([, code = ""]) => spelled[code] ?? [code.replace(/\$\{.*\}/, "*")],
    ),
  );
}

function read(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}
