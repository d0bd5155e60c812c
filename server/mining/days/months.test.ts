import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import {
  correctTestPayout,
  createTestNetwork,
  createTestPlan,
  dayAfter,
} from "#tests/factories/mining.ts";
import { createMiningSite } from "#tests/factories/mining-site.ts";
import { runBlocks } from "#tests/setup/run-blocks.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { openLedgerMonths } from "../../ledger/open-ledger-months.ts";
import { sealTransfers } from "../../ledger/seal-transfers.ts";
import { openMonths } from "../../platform/jobs/open-months.ts";
import { verifyBooks } from "../../verify-books.ts";
import { findMiningTotals } from "../contracts/find-totals.ts";
import { listContractsWithTotals } from "../contracts/list-contracts-with-totals.ts";
import { listContractDays } from "../receipts/list-contract-days.ts";
import { verifyMining } from "../verify-mining.ts";

const { db, owner, ownerUrl } = await testDatabase();
for (const day of ["2024-12-30", "2025-01-30"]) await openMonths(db, day);
const site = await createMiningSite(db, { firstDay: "2025-01-30", termDays: 400 });
const stays = await site.customer();
/** One whose contract is of January alone. */
/** What has no transfer could be corrected without one. */
const paidNothing = "2025-02-27";
const bought = new Date("2025-01-29T10:00:00Z");
const { versionId } = await createTestPlan(db, { now: bought, termDays: 2 });
const ended = await site.customer({ versionId });
const wrong = async (checks: Promise<Array<{ holds: boolean; claim: string; detail: string }>>) =>
  (await checks).filter(({ holds }) => !holds);

async function runDays(from: string, days: number): Promise<void> {
  for (let nth = 0; nth < days; nth += 1) {
    const day = dayAfter(from, nth);
    await openLedgerMonths(db, day);
    await createTestNetwork(db, day);
    await site.run(day, day === paidNothing ? 0n : 100n, 2_000n);
  }
}

/** What is to be taken out is under seals: not before the transactions of other tests have ended. */
async function sealThrough(month: string): Promise<void> {
  const isSealed = async () => {
    await creditTestDeposit(db, stays.id, 1n, { now: new Date("2025-04-20T00:00:00Z") });
    await sealTransfers(db, new Date(), { limit: 10_000 });
    const { rows } = await owner.query(
      "select max(complete_through) >= ledger_first_of($1) - 1 as done from ledger_seals",
      [month],
    );
    return rows[0].done;
  };
  await expect.poll(isSealed, { interval: 100 }).toBe(true);
}

const detach = (month: string) => owner.query(`call detach_mining_month('${month}')`);
const attach = (month: string) => owner.query(`call attach_mining_month('${month}')`);

async function whatIsSeen() {
  return {
    contracts: [
      await listContractsWithTotals(db, stays.id),
      await listContractsWithTotals(db, ended.id),
    ],
    profits: [
      (await findMiningTotals(db, stays.id)).profitUsdMicros,
      (await findMiningTotals(db, ended.id)).profitUsdMicros,
    ],
  };
}

test("receipts are taken out after their transfers, and totals go on", async () => {
  await runDays("2025-01-30", 33);
  await openLedgerMonths(db, "2025-03-05");
  await runDays("2025-03-04", 2);
  await sealThrough("2025-03-01");
  expect(await wrong(verifyMining(db))).toEqual([]);
  const before = await whatIsSeen();

  await expect(detach("2025-01-01")).rejects.toMatchObject({
    constraint: "receipts_go_after_their_transfers",
  });
  for (const month of ["2009-01-01", "2025-01-01", "2025-02-01"]) {
    await owner.query(`call detach_ledger_month('${month}')`);
  }
  await expect(detach("2025-02-01")).rejects.toMatchObject({
    constraint: "months_are_taken_out_in_turn",
  });
  await detach("2025-01-01");
  expect(await whatIsSeen()).toEqual(before);
  await expect(detach("2025-03-01")).rejects.toMatchObject({
    constraint: "months_are_worked_out_before",
  });

  // Another month posted meanwhile, so that February's transfers of the last days go too.
  await runDays("2025-03-06", 28);
  await openLedgerMonths(db, "2025-05-01");
  await runDays("2025-04-03", 1);
  await sealThrough("2025-05-01");
  await owner.query("call detach_ledger_month('2025-03-01')");
  const then = await whatIsSeen();
  await detach("2025-02-01");
  expect(await whatIsSeen()).toEqual(then);
  expect((await listContractDays(db, ended.contractId, { limit: 9 })).length).toBe(1);
  expect(await wrong(verifyBooks(db))).toEqual([]);
  expect(await wrong(verifyMining(db))).toMatchObject([
    { detail: expect.stringContaining("2025-01, 2025-02, 2025-03") },
  ]);
});

test("a day without its receipts is not corrected, and later days are credited", async () => {
  const payoutId = site.payouts.get(paidNothing) ?? "";
  const correction = { units: 0n, deliveredGhs: 1_500n, now: new Date("2025-04-10T00:00:00Z") };
  await expect(correctTestPayout(db, payoutId, correction)).rejects.toMatchObject({
    cause: { constraint: "corrected_days_have_their_receipts" },
  });
  const had = (await findMiningTotals(db, stays.id)).profitUsdMicros;
  await runDays("2025-04-04", 1);
  expect((await findMiningTotals(db, stays.id)).profitUsdMicros).not.toBe(had);
  expect(await wrong(verifyBooks(db))).toEqual([]);
});

test("receipts are put back in turn, before their transfers, and everything verifies again", async () => {
  await expect(attach("2025-01-01")).rejects.toMatchObject({
    constraint: "months_are_put_back_in_turn",
  });
  const before = await whatIsSeen();
  for (const month of ["2025-02-01", "2025-01-01"]) {
    await attach(month);
    expect(await whatIsSeen()).toEqual(before);
    expect(await wrong(verifyBooks(db))).toEqual([]);
  }
  for (const month of ["2025-03-01", "2025-02-01", "2025-01-01", "2009-01-01"]) {
    await owner.query(`call attach_ledger_month('${month}')`);
  }
  expect(await wrong(verifyBooks(db))).toEqual([]);
  expect(await wrong(verifyMining(db))).toEqual([]);
  const { rows } = await owner.query(
    "select relname from pg_class where relname like 'mining%until%' and relkind = 'r'",
  );
  expect(rows).toEqual([]);
});

test("the commands of docs/operating/old-months.md, word for word", async () => {
  const page = readFileSync("docs/operating/old-months.md", "utf8");
  const folder = mkdtempSync(path.join(tmpdir(), "assay-months-"));
  const run = (heading: string, month: string) =>
    runBlocks(page, heading, folder, { MONTH: month, DATABASE_OWNER_URL: ownerUrl });
  const receipts = ["2025-01", "2025-02"];
  const ledger = ["2009-01", ...receipts, "2025-03"];
  const others = ["2025-01"];
  const before = await whatIsSeen();
  try {
    // As it comes in a year: each time what has become possible, and once more, which keeps and loses nothing.
    const keep = async () => {
      for (const month of ledger) await run("### Keep them elsewhere", month);
    };
    for (const month of ledger) await run("### The ledger", month);
    await keep();
    for (const month of receipts) await run("### Receipts", month);
    await keep();
    for (const month of others) await run("### Mails, and what accounts have been through", month);
    await keep();
    await keep();
    const { rows } = await owner.query(
      "select relname from pg_class where relname ~ '_(2009_01|2025_0[123])$' and relname !~ 'until' and relkind = 'r' order by 1",
    );
    expect(rows.map(({ relname }) => relname)).toEqual([
      ...["account_events_2025_02", "mails_2025_02", "mining_contract_days_2025_03"],
      "mining_customer_days_2025_03",
    ]);
    expect(await whatIsSeen()).toEqual(before);

    for (const month of ledger) await run("### Bring them back", month);
    for (const month of receipts.toReversed()) await run("### Receipts again", month);
    for (const month of ledger.toReversed()) await run("### The ledger again", month);
    for (const month of others) await run("### Mails and history again", month);
  } finally {
    rmSync(folder, { recursive: true });
  }
  expect(await whatIsSeen()).toEqual(before);
  expect(await wrong(verifyBooks(db))).toEqual([]);
  expect(await wrong(verifyMining(db))).toEqual([]);
});
