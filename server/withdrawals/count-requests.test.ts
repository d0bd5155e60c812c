import { expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import {
  aRequest,
  nobodysBrowser as browser,
  createBitcoinPrice,
  createWithdrawer,
  someAddress,
  testRules,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { addAddress } from "./add-address.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { removeAddress } from "./remove-address.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-10T12:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

test("requests that are taken back each time come to an end, by the hour and by the day, and taking back never does", async () => {
  const ada = await createWithdrawer(db, { now, units: 1_000_000n });
  const { id: customerId } = ada;
  const loop = async (at: Date) => {
    const { withdrawalId } = await requestWithdrawal(db, aRequest(ada, { amount: 100_000n }), at);
    await cancelWithdrawal(db, { customerId, withdrawalId, browser }, at);
  };
  const tooMany = "platform/too-many-attempts";
  for (const hours of [0, 1.01, 2.02]) {
    await createBitcoinPrice(db, later(hours));
    for (let nth = 0; nth < 20; nth += 1) await loop(later(hours));
    await expect(loop(later(hours))).rejects.toThrow(tooMany);
  }
  await createBitcoinPrice(db, later(3.03));
  await expect(loop(later(3.03))).rejects.toThrow(tooMany);
  const { rows } = await owner.query(
    "select count(*)::int as requests from withdrawals where customer_id = $1",
    [customerId],
  );
  expect(rows).toEqual([{ requests: 60 }]);
  expect((await getBalances(db, customerId)).BTC).toEqual({ available: 1_000_000n, held: 0n });
});

test("the same request again is answered as the first was, and what is refused counts for nothing", async () => {
  const at = later(3.03);
  const eve = await createWithdrawer(db, { now: at, units: 1_000_000n });
  const request = aRequest(eve, { amount: 100_000n });
  for (let nth = 0; nth < 25; nth += 1) await requestWithdrawal(db, request, at);
  for (let nth = 0; nth < 25; nth += 1) {
    const below = requestWithdrawal(db, aRequest(eve, { amount: 1n }), at);
    await expect(below).rejects.toThrow("withdrawals/below-minimum");
  }
  await requestWithdrawal(db, aRequest(eve, { amount: 100_000n }), at);
});

test("addresses that are added and removed come to an end, too", async () => {
  const { id: customerId } = await createTestCustomer(db);
  const add = async (at: Date) => {
    const address = someAddress();
    const added = {
      customerId,
      coin: "BTC" as const,
      address,
      label: "mine",
      ...testRules,
      browser,
    };
    const { addressId } = await addAddress(db, added, at);
    await removeAddress(db, { customerId, addressId, browser }, at);
  };
  for (let nth = 0; nth < 20; nth += 1) await add(now);
  await expect(add(now)).rejects.toThrow("platform/too-many-attempts");
  await add(later(1.01));
});
