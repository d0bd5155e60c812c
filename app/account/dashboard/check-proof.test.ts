import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkProof, type KeptProof, type ProofFile } from "./check-proof.ts";

const { hold } = JSON.parse(readFileSync("docs/owed-vectors.json", "utf8"));
const none = { BTC: "0", ETH: "0", USDT: "0" };

function aFile(change: (file: ProofFile) => void = () => {}): ProofFile {
  const [proof] = structuredClone(hold);
  const { customerId, balance, prepaid } = proof.leaf;
  const account = structuredClone({ customerId, balance, prepaid, moved: none, bought: none });
  const file: ProofFile = { ...proof, account, wasThere: true };
  change(file);
  return file;
}
const { customerId = "" } = aFile().leaf ?? {};
const { day } = aFile();
const kept = (said: Partial<KeptProof>): KeptProof => {
  return { checkedOn: "2026-11-29", day: day.day, digest: day.digest, wrong: null, ...said };
};

test.each<[string, KeptProof | null]>([
  ["is the first", null],
  ["was seen before", kept({})],
  ["follows the one of yesterday", kept({ day: "2026-11-28", digest: day.previousDigest })],
  ["comes days later", kept({ day: "2026-11-20", digest: "ab".repeat(32) })],
])("all is well with a proof that %s", (_, before) => {
  const { day: of, digest } = day;
  expect(checkProof(aFile(), customerId, before)).toEqual({ day: of, digest, wrong: null });
});

test.each<[string, KeptProof, RegExp]>([
  ["is another one of the same day", kept({ digest: "ab".repeat(32) }), /29 Nov 2026 that your/],
  ["follows another day", kept({ day: "2026-11-28", digest: "ab".repeat(32) }), /28 Nov 2026/],
  ["is older than the last", kept({ day: "2026-11-30" }), /30 Nov 2026 that your browser kept/],
])("a browser that kept a hash sees a proof that %s", (_, before, words) => {
  expect(checkProof(aFile(), customerId, before)?.wrong).toMatch(words);
});

test.each<[string, (file: ProofFile) => void, RegExp]>([
  [
    "a balance lowered",
    ({ account }) => Object.assign(account.balance, { BTC: "190001" }),
    /BTC that/,
  ],
  [
    "a contract hidden",
    ({ account }) => Object.assign(account.prepaid, { ETH: "30000000000000001" }),
    /ETH paid for/,
  ],
  ["another's entry", (file) => Object.assign(file, structuredClone(hold[1])), /Whose entry it is/],
  ["an amount below zero", ({ path }) => Object.assign(path[0] ?? {}, { BTC: "-1" }), /no amount/],
  [
    "another root",
    (file) => Object.assign(file.day, { root: "ab".repeat(32) }),
    /Root of the tree/,
  ],
  ["no entry", (file) => Object.assign(file, { leaf: null, path: [] }), /You are missing/],
])("a browser sees %s", (_, change, words) => {
  expect(checkProof(aFile(change), customerId, null)?.wrong).toMatch(words);
});

test("who came after the tree was made has nothing to check", () => {
  const later = aFile((file) => Object.assign(file, { leaf: null, wasThere: false }));
  expect(checkProof(later, customerId, null)).toBeNull();
});
