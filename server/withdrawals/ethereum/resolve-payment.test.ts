import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import type { Coin } from "#core/asset.ts";
import { countWork } from "#tests/factories/count-work.ts";
import {
  batchTime as now,
  refusal,
  startEthereumBatches,
} from "#tests/factories/ethereum-batches.ts";
import { mineWithLyingToken } from "#tests/factories/lying-token.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { verifyBooks } from "../../verify-books.ts";
import { findBatch } from "../batches/find-batch.ts";
import { findWithdrawal } from "../find-withdrawal.ts";
import { findPaymentException } from "./find-payment-exception.ts";
import { decideResolution, proposeResolution } from "./resolve-payment.ts";

const { db, owner } = await testDatabase();

/** How many wait for staff, with those of which a colleague has said something. */
async function countOdd(): Promise<number> {
  const { paymentExceptions: odd, paymentExceptionResolutions: said } = await countWork(db, now);
  return odd + said;
}
const {
  grace,
  alan,
  ethereum,
  approved,
  form,
  signAndOrder,
  states,
  house,
  send,
  follow,
  tokensOf,
} = await startEthereumBatches(db);
afterAll(() => ethereum.stop());
// Every transfer of this file has its document, and says the same.
afterAll(async () => {
  expect((await verifyBooks(db)).filter(({ holds }) => !holds)).toEqual([]);
});

/** Payments of USDT that are in a final block, and of which the token said something else than it was told. */
async function paymentExceptions(count: number, less: bigint | null) {
  const people = await approved(...Array<Coin>(count).fill("USDT"));
  const batchId = await form();
  await send(await signAndOrder(batchId));
  const honest = await mineWithLyingToken(ethereum, less);
  await ethereum.finalize();
  await Promise.all([follow(), follow()]);
  await follow();
  const odd = await Promise.all(people.map((each) => findPaymentException(db, each.withdrawalId)));
  return { batchId, people, odd, honest };
}

test("a payment of which the token announced something else ends as two people say, and not before", async () => {
  const waiting = await countOdd();
  const { batchId, people, odd } = await paymentExceptions(2, 1_000_000n);
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  expect(await countOdd()).toBe(waiting + 2);
  const [ada, bob] = people;
  const [first, second] = odd;
  if (!ada || !bob || !first?.txid || !second?.txid) throw new Error("two were made");
  const { withdrawalId } = ada;
  expect(first.fault).toBe(
    `The token announced 96.000000 USDT to ${ada.address}. It was told 97.000000 USDT to ${ada.address}.`,
  );

  const says = { withdrawalId, txid: first.txid, says: "undelivered", reason: "A ghost" } as const;
  const propose = (wanted: Partial<Parameters<typeof proposeResolution>[2]>, operator = grace) =>
    refusal(proposeResolution(db, operator, { ...says, ...wanted }, now));
  const decide = (into: "confirmed" | "declined", resolutionId: string, operator = alan) =>
    refusal(decideResolution(db, operator, { withdrawalId, resolutionId, into }, now));
  expect(await propose({ reason: " " })).toBe("withdrawals/reason-missing");
  expect(await propose({ txid: second.txid })).toBe("withdrawals/not-an-exception");
  const atOnce = await Promise.all([propose({}), propose({}), propose({}, alan)]);
  expect(atOnce.filter((each) => each === "done").length).toBeGreaterThan(0);
  const resolutions = async () => (await findPaymentException(db, withdrawalId))?.resolutions ?? [];
  const [resolution, ...others] = await resolutions();
  expect(others).toEqual([]);
  const maker = resolution?.proposedBy === grace.id ? grace : alan;
  const checker = maker === grace ? alan : grace;
  const resolutionId = resolution?.id ?? "";
  expect(await decide("confirmed", resolutionId, maker)).toBe("withdrawals/own-resolution");
  expect(await decide("confirmed", randomUUID(), checker)).toBe("withdrawals/no-such-resolution");

  // Past the acts PostgreSQL says the same.
  const tried = (text: string) =>
    owner.query(text, [withdrawalId]).then(
      () => "done",
      (error: { constraint?: string }) => error.constraint,
    );
  const end = (what: string) =>
    tried(
      `update withdrawal_payments set ended_at = now(), fee_units = 0, ${what} where withdrawal_id = $1`,
    );
  expect(await end("outcome = 'paid'")).toBe("payment_exceptions_end_by_two_people");
  expect(await end(`outcome = 'undelivered', resolution_id = '${resolutionId}'`)).toBe(
    "payment_exceptions_end_by_two_people",
  );
  const forged = (by: string) =>
    tried(
      `update withdrawal_resolutions set state = 'confirmed', decided_by = ${by}, decided_by_act = proposed_by_act,
         decided_at = now() where withdrawal_id = $1`,
    );
  expect(await forged("proposed_by")).toBe("resolutions_are_decided_by_staff_acts");
  expect(
    await tried("update withdrawal_resolutions set says = 'paid' where withdrawal_id = $1"),
  ).toBe("resolutions_are_decided_once");
  expect(
    await tried(
      `insert into withdrawal_resolutions select gen_random_uuid(), withdrawal_id, txid, says, reason, 'open', '${checker.id}',
         proposed_by_act, proposed_at from withdrawal_resolutions where withdrawal_id = $1`,
    ),
  ).toBe("resolutions_begin_as_proposals");

  expect(await decide("declined", resolutionId, checker)).toBe("done");
  await follow();
  expect(await states(people)).toEqual(["broadcast", "broadcast"]);
  expect(await propose({ reason: "96 were burnt" }, maker)).toBe("done");
  const [again] = await resolutions();
  const confirmed = await Promise.all(
    [1, 2].map(() => decide("confirmed", again?.id ?? "", checker)),
  );
  expect(confirmed).toEqual(["done", "done"]);
  expect(await decide("declined", again?.id ?? "", maker)).toBe("withdrawals/no-such-resolution");
  const spent = await house("network_fee_expense", "ETH");
  await Promise.all([follow(), follow()]);
  expect(await states(people)).toEqual(["returned", "broadcast"]);
  expect((await findWithdrawal(db, { withdrawalId }))?.reason).toBe("96 were burnt");
  expect((await getBalances(db, ada.id)).USDT).toEqual({ available: 500_000_000n, held: 0n });
  expect(await house("network_fee_expense", "ETH")).not.toBe(spent);
  expect((await findBatch(db, batchId))?.state).toBe("broadcast");

  const paid = { withdrawalId: bob.withdrawalId, txid: second.txid, says: "paid" as const };
  expect(await propose(paid)).toBe("done");
  const bobs = (await findPaymentException(db, bob.withdrawalId))?.resolutions[0]?.id ?? "";
  await decideResolution(db, alan, { ...paid, resolutionId: bobs, into: "confirmed" }, now);
  await follow();
  expect(await states(people)).toEqual(["returned", "settled"]);
  expect((await getBalances(db, bob.id)).USDT).toEqual({ available: 400_000_000n, held: 0n });
  expect((await findBatch(db, batchId))?.state).toBe("settled");
  expect(await countOdd()).toBe(waiting);
});

test("one of which the token announced nothing is odd as well, until its block is no longer there", async () => {
  const { people, odd, honest } = await paymentExceptions(1, null);
  expect(odd[0]?.fault).toMatch(/^The token announced nothing. It was told 97/);
  const [ada] = people;
  const said = { withdrawalId: ada?.withdrawalId ?? "", txid: odd[0]?.txid ?? "" };
  await proposeResolution(
    db,
    grace,
    { ...said, says: "undelivered", reason: "Nothing moved" },
    now,
  );
  // The chain that was called final is left; the same transaction is sent again, and pays in another block.
  await ethereum.reorganise(ethereum.finalAfter + 1);
  await ethereum.call("anvil_setCode", [ethereum.usdt, honest]);
  await follow();
  expect(await findPaymentException(db, said.withdrawalId)).toBeNull();
  await ethereum.mine();
  await ethereum.finalize();
  await follow();
  expect(await states(people)).toEqual(["settled"]);
  expect(await tokensOf(ada?.address ?? "")).toBe(97_000_000n);
});
