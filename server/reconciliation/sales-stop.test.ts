import { expect, test } from "vitest";
import type { Coin } from "#core/asset.ts";
import { findSalesStop } from "#server/contracts/find-sales-stop.ts";
import { publishProofDays } from "#server/proof/publish-days.ts";
import { buyTestContract, createTestBuyer, offerTestPlan } from "#tests/factories/contract.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestFleet } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createApprovedWithdrawal, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { recordHolding } from "./record-holding.ts";

const { db, owner } = await testDatabase();
await createTestFleet(db, { ghs: 1_000_000n, from: "2026-01-01" });
const { planVersionId } = await offerTestPlan(db);
let now = new Date();
const buyer = await createTestBuyer(db, { sats: 100_000_000n });

const buy = () => {
  now = new Date(now.getTime() + 1);
  return buyTestContract(db, {
    customerId: buyer.id,
    planVersionId,
    now,
    usdE8: 10_000_000_000_000n,
  });
};
const stopped = { code: "contracts/sales-stopped" };

async function hold(asset: Coin, units: bigint): Promise<void> {
  const asOf = new Date();
  const holding = {
    asset,
    units,
    asOf,
    blockHeight: null,
    source: "watcher",
    countId: null,
  } as const;
  await db.transaction((tx) => recordHolding(tx, holding, asOf));
}

test("the main network sells nothing before what is owed is proved and counted, and pays out all the same", async () => {
  expect(await findSalesStop(db)).toBeNull();
  await owner.query("insert into installation values (true, 'mainnet', false, now())");
  expect(await findSalesStop(db)).toBe("proof-old");
  await expect(buy()).rejects.toMatchObject(stopped);
  await creditTestDeposit(db, buyer.id, 5n, { asset: "ETH" });
  await publishProofDays(db);
  await hold("BTC", 10_000_000_000n);
  // Ether is owed as well.
  expect(await findSalesStop(db)).toBe("not-counted");
  await hold("ETH", 5n);
  expect(await findSalesStop(db)).toBeNull();
  await buy();

  const proofOf = (hours: number) =>
    owner.query(`begin; alter table proof_days disable trigger user;
      update proof_days set published_at = now() - interval '${hours} hours'; alter table proof_days enable trigger user; commit`);
  await proofOf(71.9);
  expect(await findSalesStop(db)).toBeNull();
  await proofOf(72.1);
  expect(await findSalesStop(db)).toBe("proof-old");
  await expect(buy()).rejects.toMatchObject(stopped);
  await expect(owner.query("insert into contracts select * from contracts")).rejects.toMatchObject({
    constraint: "sales_need_full_coverage",
  });
  const operator = await createTestOperator(db);
  const customer = await createWithdrawer(db, { now });
  const withdrawal = await createApprovedWithdrawal(db, { customer, operator, now });
  expect(withdrawal).toMatch(/^[0-9a-f-]{36}$/);
  // By itself, with the next proof.
  await proofOf(0);
  expect(await findSalesStop(db)).toBeNull();
  await hold("ETH", 4n);
  expect(await findSalesStop(db)).toBe("coins-missing");
});
