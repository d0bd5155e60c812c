import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { toDecimal } from "#core/money.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { createTestCustomer, testPassword, testSite } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import {
  aRequest,
  nobodysBrowser as browser,
  confirmToken,
  createApprovedWithdrawal,
  createBitcoinPrice,
  createWithdrawer,
  someAddress,
  testRules,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { holdMoney } from "../identity/account/hold-money.ts";
import { stateResidence } from "../kyc/state-residence.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { reverseTransfer } from "../ledger/reverse-transfer.ts";
import { askClosing } from "../personal-data/ask-closing.ts";
import { addAddress } from "./add-address.ts";
import { cancelWithdrawal } from "./cancel-withdrawal.ts";
import { cancelByLink, confirmWithdrawal, inspectConfirmation } from "./confirm-withdrawal.ts";
import { approveWithdrawal, rejectWithdrawal } from "./decide-withdrawal.ts";
import { expireUnconfirmed } from "./expire-unconfirmed.ts";
import { findWithdrawal } from "./find-withdrawal.ts";
import { getWithdrawalFigures } from "./get-withdrawal-figures.ts";
import { liftHold, placeHold } from "./hold-withdrawal.ts";
import { listWithdrawals } from "./list-withdrawals.ts";
import { requestWithdrawal } from "./request-withdrawal.ts";
import { withdrawals } from "./schema.ts";

const { db, owner } = await testDatabase();
const now = new Date("2026-03-10T12:00:00Z");
const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const grace = await createTestOperator(db);
await createBitcoinPrice(db, now);

async function balances(customerId: string) {
  const { available, held } = (await getBalances(db, customerId)).BTC;
  return { available, held };
}
const codes = (settled: PromiseSettledResult<unknown>[]) =>
  settled.flatMap((each) => (each.status === "rejected" ? [(each.reason as Error).message] : []));

/**
 * Starts something while a lock keeps all of it from going on, and lets it go once `least` of it waits: with nothing in doubt a
 * race proves nothing.
 */
async function race<T>(lock: string, of: string, least: number, start: () => Promise<T>) {
  const client = await owner.connect();
  await client.query("begin");
  await client.query(lock, [of]);
  const running = start();
  const waiting = async () =>
    (
      await owner.query(
        "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
    ).rowCount;
  await expect.poll(waiting, { interval: 5 }).toBeGreaterThanOrEqual(least);
  await client.query("rollback");
  client.release();
  return running;
}
const ofCustomer =
  "select pg_advisory_xact_lock(hashtextextended('withdrawals.customer:' || $1, 0))";
const ofWithdrawal = "select from withdrawals where id = $1 for update";

test("one request sent 50 times at once is one debit with 50 equal answers", async () => {
  const ada = await createWithdrawer(db, { now });
  const request = aRequest(ada, { amount: 300_000n });
  const answers = await race(ofCustomer, ada.id, 5, () =>
    Promise.all(Array.from({ length: 50 }, () => requestWithdrawal(db, request, now))),
  );
  expect(new Set(answers.map(({ withdrawalId }) => withdrawalId)).size).toBe(1);
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(await balances(ada.id)).toEqual({ available: 700_000n, held: 300_000n });
  await expect(requestWithdrawal(db, { ...request, amount: 300_001n }, now)).rejects.toThrow(
    "withdrawals/request-key-reused",
  );
});

test("of 50 requests at once with balance for one, one is taken", async () => {
  const ada = await createWithdrawer(db, { now, units: 300_000n });
  const request = () => requestWithdrawal(db, aRequest(ada, { amount: 200_000n }), now);
  const answers = await race(ofCustomer, ada.id, 5, () =>
    Promise.allSettled(Array.from({ length: 50 }, request)),
  );
  expect(new Set(codes(answers))).toEqual(new Set(["ledger/insufficient-balance"]));
  expect(codes(answers)).toHaveLength(49);
  expect(await balances(ada.id)).toEqual({ available: 100_000n, held: 200_000n });
});

test("the fee is taken from the amount, all of it can be asked for, and the day is the next one", async () => {
  const ada = await createWithdrawer(db, { now, units: 123_456n });
  const request = aRequest(ada, { amount: "all" });
  const { withdrawalId } = await requestWithdrawal(db, request, now);
  expect(await requestWithdrawal(db, request, now)).toEqual({ withdrawalId, repeated: true });
  const found = await findWithdrawal(db, { withdrawalId, customerId: ada.id });
  expect(found).toMatchObject({ units: 123_456n, feeUnits: 5_000n, dueOn: "2026-03-11" });
  expect(await balances(ada.id)).toEqual({ available: 0n, held: 123_456n });
  const { total } = await listWithdrawals(db, ada.id, { page: 1, show: 10 }, now);
  expect(total).toBe(1);
  expect(await findWithdrawal(db, { withdrawalId, customerId: grace.id })).toBeNull();
});

test("what may not leave is refused with its reason, and moves nothing", async () => {
  const ada = await createWithdrawer(db, { now, units: 100_000_000n });
  const refused = (wanted: Parameters<typeof aRequest>[1], at = now) =>
    requestWithdrawal(db, aRequest(ada, wanted), at).catch((error: Error) => error.message);
  expect(await refused({ amount: 69_999n })).toBe("withdrawals/below-minimum");
  expect(await refused({ amount: 100_000_001n })).toBe("ledger/insufficient-balance");
  expect(await refused({ addressId: randomUUID() })).toBe("withdrawals/no-such-address");
  // $1,000 within 30 days at $50,000 a bitcoin, until verified.
  expect(await refused({ amount: 2_000_100n })).toBe("withdrawals/above-tier");
  expect(await refused({ isFinal: true, amount: "all" })).toBe("withdrawals/not-closing");
  expect(await refused({}, later(5))).toBe("withdrawals/no-price");
  await db.transaction((tx) => holdMoney(tx, ada.id, "password-changed", now));
  expect(await refused({})).toBe("withdrawals/money-stays");
  expect(await balances(ada.id)).toEqual({ available: 100_000_000n, held: 0n });
  const bob = await createTestCustomer(db, { now });
  const asBob = aRequest({ id: bob.id, addressId: ada.addressId });
  await expect(requestWithdrawal(db, asBob, now)).rejects.toThrow("residence-unknown");
});

test("a new address cools down: what goes to it leaves a day later", async () => {
  const ada = await createWithdrawer(db, { now });
  const added = { customerId: ada.id, coin: "BTC" as const, label: "New", ...testRules, browser };
  const address = "bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry";
  const { addressId } = await addAddress(db, { ...added, address: address.toUpperCase() }, now);
  const { withdrawalId } = await requestWithdrawal(db, aRequest({ ...ada, addressId }), now);
  const found = await findWithdrawal(db, { withdrawalId });
  expect(found).toMatchObject({ address, dueOn: "2026-03-12", payableFrom: later(24) });
  await expect(addAddress(db, { ...added, address: `${address}x` }, now)).rejects.toThrow(
    "bad-address",
  );
  // BIP 341: the x of no point, though its checksum fits.
  const offCurve = "bcrt1pqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqjnhlqd";
  await expect(addAddress(db, { ...added, address: offCurve }, now)).rejects.toThrow("bad-address");
});

test("the mailed link confirms exactly once, or cancels, and is over after a day", async () => {
  const ada = await createWithdrawer(db, { now });
  const { withdrawalId } = await requestWithdrawal(db, aRequest(ada), now);
  const { rows } = await db.execute<{ text: string }>(
    sql`select body_text as text from mails where user_id = ${ada.id} and template = 'withdrawal-confirm'`,
  );
  expect(rows[0]?.text).toContain(ada.address);
  expect(rows[0]?.text).toContain(`${toDecimal(195_000n, "BTC")} BTC`);
  await expect(approveWithdrawal(db, grace, withdrawalId, now)).rejects.toThrow("not-confirmed");
  const token = await confirmToken(db, ada.id);
  const tries = await Promise.allSettled(
    [1, 2, 3].map(() => confirmWithdrawal(db, { token, browser }, now)),
  );
  expect(codes(tries)).toEqual(["identity/link-used", "identity/link-used"]);
  await cancelByLink(db, { token, browser }, now);
  await cancelByLink(db, { token, browser }, now);
  // Who opens it later reads that it is over, and not that it was confirmed.
  expect((await inspectConfirmation(db, { token, now })).state).toBe("replaced");
  expect(await balances(ada.id)).toEqual({ available: 1_000_000n, held: 0n });

  await requestWithdrawal(db, aRequest(ada), now);
  const second = await confirmToken(db, ada.id);
  expect((await inspectConfirmation(db, { token: second, now: later(25) })).state).toBe("expired");
  await expect(confirmWithdrawal(db, { token: second, browser }, later(25))).rejects.toThrow(
    "link-expired",
  );
  await expireUnconfirmed(db, later(25));
  await expireUnconfirmed(db, later(25));
  expect(await balances(ada.id)).toEqual({ available: 1_000_000n, held: 0n });
});

test("of those who approve, reject and cancel at once one wins, with one transfer", async () => {
  const alan = await createTestOperator(db);
  const ada = await createWithdrawer(db, { now });
  for (let round = 0; round < 3; round++) {
    const { withdrawalId } = await requestWithdrawal(db, aRequest(ada), now);
    const token = await confirmToken(db, ada.id);
    await confirmWithdrawal(db, { token, browser }, now);
    const outcomes = await race(ofWithdrawal, withdrawalId, 3, () =>
      Promise.allSettled([
        approveWithdrawal(db, grace, withdrawalId, now),
        approveWithdrawal(db, alan, withdrawalId, now),
        rejectWithdrawal(db, alan, { withdrawalId, reason: "Not yours" }, now),
      ]),
    );
    const found = await findWithdrawal(db, { withdrawalId });
    const approvals = outcomes.slice(0, 2).filter(({ status }) => status === "fulfilled").length;
    expect(approvals).toBeLessThanOrEqual(1);
    if (found?.state === "approved") {
      await cancelWithdrawal(db, { customerId: ada.id, withdrawalId, browser }, now);
    } else expect(found).toMatchObject({ state: "rejected", reason: "Not yours" });
    expect(await balances(ada.id)).toEqual({ available: 1_000_000n, held: 0n });
  }
});

test("a hold says why and until when, and ends by itself within 30 days", async () => {
  const ada = await createWithdrawer(db, { now });
  const withdrawalId = await createApprovedWithdrawal(db, { customer: ada, operator: grace, now });
  const hold = { withdrawalId, reason: "We are asking your bank", endsAt: later(48) };
  const shown = async (at: Date) =>
    (await listWithdrawals(db, ada.id, { page: 1, show: 10 }, at)).withdrawals[0]?.heldUntil;
  await expect(placeHold(db, grace, { ...hold, endsAt: later(24 * 31) }, now)).rejects.toThrow(
    "hold-too-long",
  );
  await placeHold(db, grace, hold, now);
  expect([await shown(now), await shown(later(48))]).toEqual([later(48), null]);
  await expect(placeHold(db, grace, hold, now)).rejects.toThrow("held-already");
  const found = await findWithdrawal(db, { withdrawalId, customerId: ada.id });
  expect(found?.holds).toMatchObject([
    { reason: hold.reason, owner: "Grace", endsAt: hold.endsAt },
  ]);
  const { rows } = await db.execute<{ held: boolean; over: boolean }>(sql`
    select is_withdrawal_held(${withdrawalId}, ${later(47).toISOString()}) as held,
           not is_withdrawal_held(${withdrawalId}, ${later(48).toISOString()}) as over`);
  expect(rows[0]).toEqual({ held: true, over: true });
  const lifted = { withdrawalId, holdId: found?.holds[0]?.id ?? "" };
  await liftHold(db, grace, lifted, now);
  expect((await findWithdrawal(db, { withdrawalId }))?.holds[0]?.liftedAt).toEqual(now);
  await liftHold(db, grace, lifted, now);
  await placeHold(db, grace, hold, now);
  await expect(liftHold(db, grace, lifted, now)).rejects.toThrow("held-anew");
  expect(await shown(now)).toEqual(later(48));
  // What its customer takes back meanwhile is held no longer.
  await cancelWithdrawal(db, { customerId: ada.id, withdrawalId, browser }, now);
  expect(await shown(now)).toBeNull();
});

test("who closes his account is paid all that is left, below the minimum and without fee", async () => {
  const ada = await createWithdrawer(db, { now, units: 1_234n });
  const closing = { customerId: ada.id, password: testPassword, browser, site: testSite, now };
  expect(await askClosing(db, closing)).toEqual({ state: "waiting" });
  const request = aRequest(ada, { isFinal: true, amount: "all" });
  const { withdrawalId } = await requestWithdrawal(db, request, now);
  const found = await findWithdrawal(db, { withdrawalId });
  expect(found).toMatchObject({ units: 1_234n, feeUnits: 0n, isFinal: true });
});

test("where the service may not be had, what is left is paid to who leaves, and nothing else", async () => {
  const ada = await createWithdrawer(db, { now });
  const moved = { customerId: ada.id, country: "US", ...browser };
  await expect(stateResidence(db, moved, now)).rejects.toThrow("residence-refused");
  await expect(requestWithdrawal(db, aRequest(ada), now)).rejects.toThrow("residence-refused");
  const closing = { customerId: ada.id, password: testPassword, browser, site: testSite, now };
  await askClosing(db, closing);
  await expect(requestWithdrawal(db, aRequest(ada), now)).rejects.toThrow("residence-refused");
  const request = aRequest(ada, { isFinal: true, amount: "all" });
  expect(await requestWithdrawal(db, request, now)).toMatchObject({ repeated: false });
});

test("PostgreSQL refuses what no act would do, also to the owner of the tables", async () => {
  const ada = await createWithdrawer(db, { now });
  const withdrawalId = await createApprovedWithdrawal(db, { customer: ada, operator: grace, now });
  const tried = (text: string, values: unknown[] = [withdrawalId]) =>
    owner.query(text, values).then(
      () => "done",
      (error: { constraint?: string }) => error.constraint,
    );
  const set = (what: string) => tried(`update withdrawals set ${what} where id = $1`);
  expect(await set("units = units + 1")).toBe("requests_are_never_rewritten");
  expect(await set("address = 'bcrt1qother00000000000000'")).toBe("requests_are_never_rewritten");
  expect(await set("state = 'requested'")).toBe("withdrawals_move_forward");
  expect(await set("state = 'settled'")).toBe("withdrawals_move_forward");
  expect(
    await set(
      "state = 'cancelled', ended_at = now(), ended_by = 'customer', end_transfer_id = request_transfer_id",
    ),
  ).toBe("ended_withdrawals_are_posted");
  expect(await tried("delete from withdrawals where id = $1")).toBe("withdrawals_are_kept");
  const post = (transfer: Parameters<typeof aTransfer>[0]) =>
    db
      .transaction((tx) => postTransfer(tx, aTransfer({ ownerId: ada.id, ...transfer })))
      .then(
        () => "done",
        (error: { cause?: { constraint?: string } }) => error.cause?.constraint,
      );
  const unexplained = "transfers_of_withdrawals_have_their_withdrawal";
  const sent = { held: -200_000n, custody: 195_000n, withdrawal_fee_revenue: 5_000n };
  expect(await post({ kind: "withdrawal-sent", moves: sent })).toBe(unexplained);
  const back = { held: -200_000n, available: 200_000n };
  expect(await post({ kind: "withdrawal-cancelled", moves: back })).toBe(unexplained);
  expect(await post({ kind: "hold-release", moves: back })).toBe(
    "what_is_held_for_withdrawals_stays",
  );
  const asked = { available: -1n, held: 1n };
  expect(await post({ kind: "withdrawal-request", moves: asked })).toBe(unexplained);
  const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, withdrawalId));
  await expect(
    db.transaction((tx) =>
      reverseTransfer(tx, {
        transferId: row?.requestTransferId ?? "",
        key: "mirror",
        occurredAt: now,
        memo: "",
      }),
    ),
  ).rejects.toMatchObject({ cause: { constraint: unexplained } });
  expect(await balances(ada.id)).toEqual({ available: 800_000n, held: 200_000n });
  expect((await getWithdrawalFigures(db, now)).oldestOpenAt).toEqual(now);
  expect(someAddress()).toBe(ada.address);
});
