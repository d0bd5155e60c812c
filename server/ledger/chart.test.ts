import { expect, test } from "vitest";
import { coins } from "#core/asset.ts";
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
