import { expect, test } from "vitest";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { testPassword, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import {
  aRequest,
  nobodysBrowser as browser,
  confirmToken,
  createApprovedWithdrawal,
  createBitcoinPrice,
  createUnsentBatch,
  createWithdrawer,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { askClosing, withdrawClosing } from "../personal-data/ask-closing.ts";
import { findOpenClosing } from "../personal-data/find-closing.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { confirmWithdrawal } from "./confirm-withdrawal.ts";
import { approveWithdrawal } from "./decide-withdrawal.ts";
import { findNextFinal } from "./final-payments.ts";
import { findWithdrawal } from "./find-withdrawal.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";

const { db, owner } = await testDatabase();
const olga = await createTestOperator(db);
const now = new Date(Date.now() - 30 * 3_600_000);
const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
await createBitcoinPrice(db, now);

type Ada = Awaited<ReturnType<typeof createWithdrawer>>;
/** Twice what somebody who is not verified may withdraw in 30 days. */
const muchUnits = 4_000_000n;

const leave = ({ id: customerId }: Ada, at = now) =>
  askClosing(db, { customerId, password: testPassword, browser, site: testSite, now: at });
const stay = ({ id: customerId }: Ada, at = now) =>
  withdrawClosing(db, { customerId, browser, now: at });
const askFinal = (ada: Ada, at = now) =>
  requestWithdrawal(db, aRequest(ada, { isFinal: true, amount: "all" }), at);
const ask = (ada: Ada, amount: bigint, at = now) =>
  requestWithdrawal(db, aRequest(ada, { amount }), at);
const stateOf = async (withdrawalId: string) => (await findWithdrawal(db, { withdrawalId }))?.state;
const available = async ({ id }: Ada) => (await getBalances(db, id)).BTC.available;

const wasKept = "state = 'kept', ended_at = now()";

/** What only somebody with the tables in his hand writes, as another version may have left it. */
async function plant(table: string, change: string): Promise<void> {
  await owner.query(
    `begin; alter table ${table} disable trigger user; update ${table} set ${change};
     alter table ${table} enable trigger user; commit`,
  );
}

test("whoever asks to leave, is to be paid, and stays, has the balance back and no limit less: three times over", async () => {
  const ada = await createWithdrawer(db, { now, units: muchUnits });
  for (const _ of [1, 2, 3]) {
    await leave(ada);
    const { withdrawalId } = await askFinal(ada);
    expect(await available(ada)).toBe(0n);
    await stay(ada);
    expect(await stateOf(withdrawalId)).toBe("cancelled");
    const token = await confirmToken(db, ada.id);
    await expect(confirmWithdrawal(db, { token, browser }, now)).rejects.toThrow();
    expect(await available(ada)).toBe(muchUnits);
    await expect(askFinal(ada)).rejects.toThrow("withdrawals/not-closing");
    await expect(ask(ada, muchUnits)).rejects.toThrow("withdrawals/above-tier");
  }
  // Nothing of it counts: what may be withdrawn is as it was.
  expect(await ask(ada, 1_900_000n)).toMatchObject({ repeated: false });
});

test("a final payment whose value nobody knows waits for a price, where there is a limit to count it against", async () => {
  const ada = await createWithdrawer(db, { now, units: muchUnits });
  await leave(ada, later(0.5));
  await expect(askFinal(ada, later(0.5))).rejects.toThrow("withdrawals/no-price");
});

test("what an older version let leave after the closing was taken back is neither confirmed nor approved", async () => {
  const ada = await createWithdrawer(db, { now, units: muchUnits });
  await leave(ada);
  const { withdrawalId } = await askFinal(ada);
  const planted = `${wasKept} where customer_id = '${ada.id}'`;
  await plant("account_closings", planted);
  const token = await confirmToken(db, ada.id);
  const confirmed = confirmWithdrawal(db, { token, browser }, now);
  await expect(confirmed).rejects.toThrow("withdrawals/not-closing");
  await plant(
    "account_closings",
    `state = 'waiting', ended_at = null where customer_id = '${ada.id}'`,
  );
  await confirmWithdrawal(db, { token, browser }, now);
  await plant("account_closings", planted);
  const approved = approveWithdrawal(db, olga, withdrawalId, now);
  await expect(approved).rejects.toThrow("withdrawals/not-closing");
});

test("nor does it leave in a batch, which the others leave in", async () => {
  const [ada, ben] = [
    await createWithdrawer(db, { now, units: muchUnits }),
    await createWithdrawer(db, { now, units: muchUnits }),
  ];
  await leave(ada);
  const final = { customer: ada, operator: olga, now, isFinal: true, amount: "all" as const };
  const withdrawalId = await createApprovedWithdrawal(db, final);
  await plant("account_closings", `${wasKept} where customer_id = '${ada.id}'`);
  const { batchId } = await createUnsentBatch(db, { customer: ben, operator: olga, vout: 1 });
  expect(await stateOf(withdrawalId)).toBe("approved");
  const batched = "update withdrawals set state = 'batched', batch_id = $1 where id = $2";
  await expect(owner.query(batched, [batchId, withdrawalId])).rejects.toMatchObject({
    constraint: "final_payments_belong_to_a_closing",
  });
});

test("of who asks for the final payment and stays at once, one comes first", async () => {
  const ada = await createWithdrawer(db, { now, units: muchUnits });
  for (const _ of [1, 2, 3, 4]) {
    await leave(ada);
    await Promise.allSettled([askFinal(ada), stay(ada), askFinal(ada), stay(ada)]);
    const { rows } = await owner.query(
      "select from withdrawals where customer_id = $1 and is_final and state <> 'cancelled'",
      [ada.id],
    );
    const isOpen = (await findOpenClosing(db, ada.id)) !== null;
    expect(rows).toHaveLength(isOpen ? 1 : 0);
    await stay(ada);
    expect(await available(ada)).toBe(muchUnits);
  }
});

test("an approval that came before is of no use to who stays", async () => {
  const ada = await createWithdrawer(db, { now, units: muchUnits });
  await leave(ada);
  const wanted = { isFinal: true, amount: "all" as const };
  const asked = { customer: ada, operator: olga, now, ...wanted };
  const withdrawalId = await createApprovedWithdrawal(db, asked);
  await stay(ada);
  expect(await stateOf(withdrawalId)).toBe("cancelled");
});

test("nobody stays while a final payment is in a batch, PostgreSQL's owner included", async () => {
  const ada = await createWithdrawer(db, { now, units: muchUnits });
  await leave(ada);
  const wanted = { customer: ada, operator: olga, isFinal: true, amount: "all" as const };
  const { withdrawalId } = await createUnsentBatch(db, wanted);
  await expect(stay(ada)).rejects.toThrow("withdrawals/too-late");
  expect(await findOpenClosing(db, ada.id)).toMatchObject({ state: "waiting" });
  const keep =
    "update account_closings set state = 'kept', ended_at = now() where customer_id = $1";
  await expect(owner.query(keep, [ada.id])).rejects.toMatchObject({
    constraint: "whoever_stays_has_no_final_payment",
  });

  // Paid, it counts for who stays then; another one is to be had 30 days later.
  await plant(
    "withdrawals",
    `state = 'settled', ended_at = now(), end_transfer_id = request_transfer_id, broadcast_at = now() where id = '${withdrawalId}'`,
  );
  await stay(ada);
  await creditTestDeposit(db, ada.id, muchUnits, { now });
  await expect(ask(ada, 100_000n, later(1.1))).rejects.toThrow("withdrawals/no-price");
  await createBitcoinPrice(db, later(1.1));
  await expect(ask(ada, 100_000n, later(1.1))).rejects.toThrow("withdrawals/above-tier");
  await leave(ada, later(1.1));
  await expect(askFinal(ada, later(1.1))).rejects.toThrow("withdrawals/final-lately");
  const asked = { customerId: ada.id, coin: "BTC" as const };
  const requestedAt = (await findWithdrawal(db, { withdrawalId }))?.requestedAt ?? now;
  const thirtyDays = 30 * 86_400_000;
  expect(await findNextFinal(db, { ...asked, now: later(29.9) })).toEqual({
    from: new Date(requestedAt.getTime() + thirtyDays),
    lastIsPaid: true,
  });
  expect(await findNextFinal(db, { ...asked, coin: "ETH", now: later(1) })).toBeNull();
  expect(await findNextFinal(db, { ...asked, now: later(30.1) })).toBeNull();
  const times = ["requested_at", "confirm_by", "confirmed_at", "approved_at", "payable_from"];
  const earlier = times.map((each) => `${each} = ${each} - interval '29 days'`).join(", ");
  await plant("withdrawals", `${earlier}, due_on = due_on - 29 where id = '${withdrawalId}'`);
  const { withdrawalId: second } = await askFinal(ada, later(1.1));
  // One that was taken back is none.
  await cancelWithdrawal(db, { customerId: ada.id, withdrawalId: second, browser }, later(1.1));
  expect(await askFinal(ada, later(1.1))).toMatchObject({ repeated: false });
});
