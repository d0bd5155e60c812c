import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Coin } from "#core/asset.ts";
import { findSalesStop } from "#server/contracts/find-sales-stop.ts";
import { buyTestContract, createTestBuyer, offerTestPlan } from "#tests/factories/contract.ts";
import { aCount } from "#tests/factories/count.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import {
  createApprovedWithdrawal,
  createBitcoinPrice,
  createWithdrawer,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { sealTransfers } from "../ledger/seal-transfers.ts";
import { confirmCount, rejectCount, withdrawCount } from "./decide-count.ts";
import { enterCount } from "./enter-count.ts";
import { explainDifference } from "./explain-difference.ts";
import { findCount } from "./list-counts.ts";
import { listCoverage } from "./list-coverage.ts";
import { listHoldings, listOpenDifferences } from "./list-holdings.ts";
import { listReconciledDays } from "./list-reconciled-days.ts";
import { noteCustody } from "./note-custody.ts";
import { viewCountEvidence } from "./view-count-evidence.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const ada = await createTestCustomer(db);
const maker = await createTestOperator(db);
const checker = await createTestOperator(db, { firstName: "Amir" });
const refusal = (code: string) => ({ code });

interface Wanted {
  asset?: Coin;
  units: bigint;
  asOf: Date;
  now?: Date;
}

async function counted(wanted: Wanted): Promise<string> {
  const { asOf, now = asOf } = wanted;
  const { countId } = await enterCount(db, maker, await aCount(product, maker, wanted), now);
  await confirmCount(db, checker, countId, now);
  return countId;
}

const arrive = (units: bigint, moment: string, asset: Coin = "BTC") =>
  creditTestDeposit(db, ada.id, units, { asset, now: new Date(moment) });

test("sales stop while less was counted than the ledger says of that moment, and withdrawals do not", async () => {
  await createTestFleet(db, { ghs: 1_000_000n, from: "2026-01-01" });
  const { planVersionId } = await offerTestPlan(db);
  const buyer = await createTestBuyer(db, { sats: 0n });
  const at = new Date("2026-02-10T12:00:00Z");
  await creditTestDeposit(db, buyer.id, 100_000_000n, { now: new Date("2026-02-10T11:00:00Z") });
  const buy = (now: Date) =>
    buyTestContract(db, { customerId: buyer.id, planVersionId, now, usdE8: 10_000_000_000_000n });
  // Never counted: nobody knows, and everybody can read that.
  expect(await findSalesStop(db)).toBeNull();
  await buy(at);

  await counted({ units: 99_999_999n, asOf: at });
  await arrive(5n, "2026-02-10T12:00:00.001Z");
  expect(await findSalesStop(db)).toBe("coins-missing");
  await expect(buy(new Date(at.getTime() + 1000))).rejects.toMatchObject(
    refusal("contracts/sales-stopped"),
  );
  // Nor does anybody who does not ask first.
  await expect(owner.query("insert into contracts select * from contracts")).rejects.toThrow(
    "is not shown to be there",
  );

  // Explained, it is still not there.
  const [difference] = await listOpenDifferences(db, 10);
  expect(difference).toMatchObject({ units: 99_999_999n, custodyUnits: 100_000_000n });
  const explained = { holdingId: difference?.id ?? "", words: "A fee was paid out of the wallet" };
  await explainDifference(db, checker, explained, at);
  expect(await listOpenDifferences(db, 10)).toEqual([]);
  await expect(explainDifference(db, maker, explained, at)).rejects.toMatchObject(
    refusal("reconciliation/already-explained"),
  );
  expect(await findSalesStop(db)).toBe("coins-missing");

  // An older count, confirmed later, says nothing of now; a newer one that covers it all does.
  await counted({ units: 200_000_000n, asOf: new Date(at.getTime() - 3_600_000), now: at });
  expect(await findSalesStop(db)).toBe("coins-missing");
  const later = new Date("2026-02-11T12:00:00Z");
  await counted({ units: 100_000_005n, asOf: later });
  expect(await findSalesStop(db)).toBeNull();
  await buy(later);
  // Coins of one kind do not cover those of another.
  await arrive(7n, "2026-02-11T12:00:00Z", "ETH");
  await counted({ asset: "ETH", units: 6n, asOf: new Date("2026-02-12T12:00:00Z") });
  expect(await findSalesStop(db)).toBe("coins-missing");
  expect((await listCoverage(db)).map(({ asset, units }) => [asset, units])).toEqual([
    ["BTC", 100_000_005n],
    ["ETH", 6n],
  ]);
  const leaving = new Date("2026-02-12T12:00:00Z");
  await createBitcoinPrice(db, leaving);
  const customer = await createWithdrawer(db, { now: leaving });
  const withdrawalId = await createApprovedWithdrawal(db, {
    customer,
    operator: checker,
    now: leaving,
  });
  expect(withdrawalId).toMatch(/^[0-9a-f-]{36}$/);
});

test("a count takes two people, once, whoever presses when", async () => {
  const asOf = new Date("2026-03-01T12:00:00Z");
  const count = await aCount(product, maker, { asset: "USDT", units: 1n, asOf });
  const [first, second] = await Promise.all([
    enterCount(db, maker, count, asOf),
    enterCount(db, maker, count, asOf),
  ]);
  expect(second?.countId).toBe(first?.countId);
  const { countId } = first;
  const other = {
    ...(await aCount(product, maker, { asset: "USDT", units: 2n, asOf })),
    submissionKey: count.submissionKey,
  };
  await expect(enterCount(db, maker, other, asOf)).rejects.toMatchObject({
    code: "platform/sent-otherwise",
  });
  const again = { ...count, submissionKey: randomUUID() };
  await expect(enterCount(db, maker, again, asOf)).rejects.toMatchObject(
    refusal("adjustments/evidence-not-found"),
  );
  await expect(confirmCount(db, maker, countId, asOf)).rejects.toMatchObject(
    refusal("reconciliation/own-count"),
  );
  const late = await createTestOperator(db, { role: "approver" });
  const pressed = await Promise.allSettled([
    confirmCount(db, checker, countId, asOf),
    confirmCount(db, checker, countId, asOf),
    confirmCount(db, late, countId, asOf),
  ]);
  expect(pressed.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(1);
  const holdings = (await listHoldings(db, 100)).filter((holding) => holding.countId === countId);
  expect(holdings).toHaveLength(1);
  const rejected = rejectCount(db, late, { countId, reason: "No" }, asOf);
  await expect(rejected).rejects.toMatchObject(refusal("reconciliation/already-decided"));
  await expect(withdrawCount(db, maker, countId, asOf)).rejects.toMatchObject(
    refusal("reconciliation/already-decided"),
  );
  const file = await viewCountEvidence(product, checker, countId, asOf);
  expect(file?.mediaType).toBe("image/jpeg");
  const acts = await owner.query("select act from audit_log where subject = $1 order by position", [
    `count:${countId}`,
  ]);
  expect(acts.rows.map(({ act }) => act)).toEqual([
    ...["reconciliation/count", "reconciliation/confirm-count", "reconciliation/view-evidence"],
  ]);
});

test("a count is of the last week, of an amount that can be, and says which wallets", async () => {
  const asOf = new Date("2026-03-02T12:00:00Z");
  const count = await aCount(product, maker, { units: 1n, asOf });
  const enter = (changes: Partial<typeof count>, now = asOf) =>
    enterCount(db, maker, { ...count, ...changes }, now);
  const week = new Date("2026-03-09T12:00:00Z");
  await expect(enter({}, week)).rejects.toMatchObject(
    refusal("reconciliation/not-of-the-last-week"),
  );
  await expect(enter({ asOf: week })).rejects.toMatchObject(
    refusal("reconciliation/not-of-the-last-week"),
  );
  await expect(enter({ units: -1n })).rejects.toMatchObject(
    refusal("reconciliation/amount-out-of-range"),
  );
  await expect(enter({ wallets: " \n " })).rejects.toMatchObject(
    refusal("reconciliation/wallets-missing"),
  );
  const treasurer = await createTestOperator(db, { role: "treasurer" });
  const { countId } = await enter({});
  await expect(confirmCount(db, treasurer, countId, asOf)).rejects.toMatchObject(
    refusal("identity/not-permitted"),
  );
  await rejectCount(db, checker, { countId, reason: "The picture shows another wallet" }, asOf);
  expect(await findCount(db, countId)).toMatchObject({ state: "rejected" });
  expect((await listHoldings(db, 100)).some((holding) => holding.countId === countId)).toBe(false);
});

test("nobody types a figure past the ledger, the second person or the act", async () => {
  const at = "2026-03-03T12:00:00Z";
  const holding = (columns: string, values: string) =>
    owner.query(`insert into custody_holdings (id, asset, units, as_of, recorded_at, ${columns})
      values (uuidv7(), 'BTC', 1, '${at}', '${at}', ${values})`);
  const { countId } = await enterCount(
    db,
    maker,
    await aCount(product, maker, { units: 1n, asOf: new Date(at) }),
    new Date(at),
  );
  // A count that nobody confirmed.
  await expect(holding("source, count_id", `'count', '${countId}'`)).rejects.toThrow(
    "two people confirmed",
  );
  await expect(holding("source", "'count'")).rejects.toThrow("counted_holdings_name_their_count");
  await holding("source, custody_units", "'watcher', 1");
  const [seen] = await listHoldings(db, 1);
  expect(seen?.source).toBe("watcher");
  expect(seen?.custodyUnits).not.toBe(1n);
  const update = `update custody_counts set state = 'confirmed', decided_by = $1, decided_at = '${at}',
    decided_by_act = (select id from audit_log limit 1) where id = $2`;
  await expect(owner.query(update, [checker.id, countId])).rejects.toThrow("acts of staff");
  for (const table of [
    "custody_holdings",
    "custody_days",
    "custody_explanations",
    "custody_counts",
  ]) {
    await expect(owner.query(`delete from ${table}`)).rejects.toThrow("only grows");
  }
  await expect(
    owner.query(
      `insert into custody_explanations select id, 'Because', $1, $2, now() from custody_holdings limit 1`,
      [...[checker.id, randomUUID()]],
    ),
  ).rejects.toThrow();
});

test("the ledger's custody of a moment is the same before and after it is sealed and noted", async () => {
  const moment = "2026-04-01T00:00:00Z";
  await arrive(11n, "2026-03-31T23:59:59Z");
  await arrive(13n, moment);
  const custody = async (at: string) => {
    const { rows } = await owner.query("select units from custody_at($1) where asset = 'BTC'", [
      at,
    ]);
    return BigInt(rows[0].units);
  };
  const before = await custody("2026-03-31T23:59:59.999Z");
  expect((await custody(moment)) - before).toBe(13n);
  await sealTransfers(db, new Date("2026-04-01T00:01:00Z"));
  await owner.query("select snapshot_house_balances(1)");
  await arrive(17n, "2026-04-01T00:02:00Z");
  expect(await custody("2026-04-01T00:01:30Z")).toBe(before + 13n);
  expect(await custody("2026-03-31T23:59:59.999Z")).toBe(before);
  expect(await custody("2026-04-01T01:00:00Z")).toBe(before + 30n);

  await Promise.all([1, 2].map(() => noteCustody(db, new Date("2026-04-01T00:07:00Z"))));
  // No worker ran for a day: the next one notes both.
  await noteCustody(db, new Date("2026-04-03T00:07:00Z"));
  const days = (await listReconciledDays(db, 31)).filter(({ asset }) => asset === "BTC");
  expect(days.map(({ day, custodyUnits, holding }) => [day, custodyUnits, holding])).toEqual([
    ["2026-04-02", before + 30n, null],
    ["2026-04-01", before + 30n, null],
    ["2026-03-31", before, null],
  ]);
  await counted({ units: before + 30n, asOf: new Date("2026-04-02T20:00:00Z") });
  const [newest] = await listReconciledDays(db, 1);
  expect(newest?.holding).toMatchObject({ units: before + 30n, custodyUnits: before + 30n });
  await expect(
    owner.query(
      "insert into custody_days (day, asset, custody_units, noted_at) values ('2026-05-01', 'BTC', 5, '2026-05-01T12:00:00Z')",
    ),
  ).rejects.toThrow("is not over");
});
