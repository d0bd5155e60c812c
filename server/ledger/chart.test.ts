import { expect, test } from "vitest";
import { coins } from "#core/asset.ts";
import { readSchema } from "#server/platform/database/schema-text.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { chartOfAccounts } from "./account.ts";
import { movements } from "./transfer.ts";

const { owner } = await testDatabase();

test("the database has the chart of accounts that the code has", async () => {
  const { rows } = await owner.query("select account, owner, side from ledger_account_kinds");
  const chart = Object.fromEntries(rows.map(({ account, ...kind }) => [account, kind]));
  expect(chart).toEqual(chartOfAccounts);
});

test("the database has the movements that the code has, and reversals", async () => {
  const { rows } = await owner.query("select kind, debits, credits from ledger_transfer_kinds");
  const listed = Object.fromEntries(
    rows.map(({ kind, debits, credits }) => [kind, { debit: debits, credit: credits }]),
  );
  expect(listed).toEqual({ ...movements, reversal: { debit: [], credit: [] } });
});

test("the house has one account of each of its kinds and coins from the start, without a balance row", async () => {
  const { rows } = await owner.query("select account, asset, balance from ledger_accounts");
  const kinds = Object.entries(chartOfAccounts).filter(([, { owner: who }]) => who === "house");
  expect(rows).toHaveLength(kinds.length * coins.length);
  expect(rows.every(({ balance }) => balance === null)).toBe(true);
});

test("posting.sql says at its head by which rules the ledger refuses, all of them", () => {
  const { tables, functions } = readSchema();
  const texts = [...tables, ...functions].filter(({ name }) => name.startsWith("ledger/"));
  const posting = texts.find(({ name }) => name === "ledger/posting.sql")?.sql ?? "";
  const [head = ""] = posting.split("\n\n", 1);
  const listed = new Set(head.match(/(?<!`)\b[a-z]+(?:_[a-z]+)+\b(?!`)/g));
  // What is asked of rows as they are mined stands with what mines them.
  for (const mined of ["mining_transfers_are_explained", "mining_is_not_reversed"]) {
    expect(functions.find(({ name }) => name === "mining/explained.sql")?.sql).toContain(mined);
    listed.delete(mined);
  }
  const said = texts.map(({ sql }) => sql.replace(/^\s*--.*$/gm, "")).join("\n");
  const refuses = [
    /\bconstraint ([a-z_]+)\s+(?:check|unique|primary|exclude)/g,
    /create unique index ([a-z_]+)/g,
    /(?:demand|ledger_refuse|ledger_refuse_sent)\('([a-z_]+)'/g,
    // Names before their words, in calls that make triggers; not the codes of `demand`.
    /'([a-z]+(?:_(?!violation)[a-z]+)+)(?:: |', ')[A-Z]/g,
    /call at_commit\('[a-z_]+', '([a-z_]+)'/g,
  ];
  const rules = new Set(
    refuses.flatMap((rule) => [...said.matchAll(rule)].map(([, name]) => name)),
  );
  expect([...listed].sort()).toEqual([...rules].sort());
});

test("every kind is asked for what stands behind it: by a room at the commit, or by mining as it is posted", async () => {
  const { rows } = await owner.query(
    `select kind, ledger_needs_document(kind) as needed,
            exists (select from ledger_document_checks c where c.kind = k.kind and not of_reversal) as asked,
            (select prosrc from pg_proc where proname = 'mining_explain') ~ ('[{,'']' || kind || '[,}'']') as mined
       from ledger_transfer_kinds k where kind not in ('conversion', 'reversal')`,
  );
  expect(rows.length).toBeGreaterThan(20);
  // A further kind that is in neither list would be posted by whoever can call the ledger.
  expect(rows.filter(({ needed, asked, mined }) => mined === needed || needed !== asked)).toEqual(
    [],
  );
});
