import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { creditTestDeposit, documentDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import {
  approveTestDeposit,
  createTestDeposit,
  randomTxid,
  rejectTestDeposit,
} from "#tests/factories/deposit.ts";
import { createTestPrice } from "#tests/factories/market.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { aDeposit, aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { findTransfer } from "../ledger/find-transfer.ts";
import { getBalances } from "../ledger/get-balances.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { postTransfers } from "../ledger/post-transfers.ts";
import { reverseTransfer } from "../ledger/reverse-transfer.ts";
import { openDatabase } from "../platform/database.ts";
import { openLog } from "../platform/log/log.ts";
import { findDeposit } from "./find-deposit.ts";
import { depositTotals } from "./get-deposit-totals.ts";

const { db, owner, applicationUrl } = await testDatabase();
const product = { db, files: testFiles() };
const grace = await createTestOperator(db);
const alan = await createTestOperator(db);

async function pending(wanted: Partial<Parameters<typeof createTestDeposit>[1]> = {}) {
  const { id: customerId } = await createTestCustomer(db);
  const deposit = await createTestDeposit(product, { customerId, ...wanted });
  const { depositId, method, transferId } = deposit;
  return { depositId, method, transferId, customerId };
}

async function actsOn(depositId: string): Promise<string[]> {
  const { rows } = await owner.query("select act from audit_log where subject = $1", [
    `deposit:${depositId}`,
  ]);
  return rows.map(({ act }) => act);
}

describe("approving", () => {
  test.each([
    ["Bitcoin", "BTC", 1_250_000n],
    ["Ethereum", "ETH", 123_456_789_012_345_678n],
    ["USDT", "USDT", 99_999_999n],
  ] as const)("a %s deposit credits the %s that arrived", async (method, asset, quantityUnits) => {
    const deposit = await pending({ method });
    const { transferId } = await approveTestDeposit(db, deposit, {
      ...deposit,
      approvedBy: grace,
      quantityUnits,
    });
    expect((await getBalances(db, deposit.customerId))[asset].available).toBe(quantityUnits);
    expect(await findTransfer(db, deposit.customerId, transferId)).toMatchObject({
      kind: "deposit",
      source: `deposit:${deposit.depositId}`,
      entries: [
        { account: "available", asset, units: quantityUnits },
        { account: "custody", asset, units: -quantityUnits },
      ],
    });
    expect(await actsOn(deposit.depositId)).toEqual(["deposits/approve"]);
  });

  test("sets the image's address, and with it the status that the customer reads", async () => {
    const { depositId, customerId } = await pending({ approvedBy: grace });
    expect(await findDeposit(db, customerId, depositId)).toMatchObject({
      status: "Approved",
      imageUrl: `/account/deposit/${depositId}/slip`,
    });
  });

  test("keeps the claim beside the corrected dollars", async () => {
    const { depositId, customerId } = await pending({
      claimedUsdCents: 100_000n,
      approvedBy: grace,
      usdCents: 99_950n,
    });
    const deposit = await findDeposit(db, customerId, depositId);
    expect(deposit).toMatchObject({ claimedUsdCents: 100_000n, usdCents: 99_950n });
    expect((await depositTotals(db, customerId)).totalUsdCents).toBe(99_950n);
  });

  test("keeps the price that was fresh then, and none that was too old", async () => {
    const now = new Date();
    const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    const price = { asset: "ETH" as const, usdE8: 300_000_000_000n };
    const old = await createTestPrice(db, { ...price, observedAt: ago(11) });
    const without = await pending({ method: "Ethereum", approvedBy: grace, now });
    expect((await findDeposit(db, without.customerId, without.depositId))?.priceId).toBeNull();
    const fresh = await createTestPrice(db, { ...price, observedAt: ago(1) });
    const { customerId, depositId } = await pending({
      method: "Ethereum",
      approvedBy: grace,
      now,
    });
    expect((await findDeposit(db, customerId, depositId))?.priceId).toBe(fresh);
    const { rows } = await owner.query("select pinned from market_prices where id = $1", [fresh]);
    expect(rows).toEqual([{ pinned: true }]);

    const notKept = await createTestPrice(db, { ...price, observedAt: ago(2) });
    const coin = { asset: "BTC" as const, usdE8: 1n, observedAt: ago(1) };
    const ofBitcoin = await createTestPrice(db, coin);
    await owner.query("update market_prices set pinned = true where id = any($1)", [
      [old, ofBitcoin],
    ]);
    for (const wrong of [old, notKept, ofBitcoin]) {
      const client = await owner.connect();
      try {
        await client.query("begin");
        await client.query("alter table deposits disable trigger deposits_are_reviewed_once");
        const write = client.query("update deposits set price_id = $1 where id = $2", [
          wrong,
          depositId,
        ]);
        await expect(write).rejects.toMatchObject({
          constraint: "deposits_are_valued_by_fresh_prices",
        });
      } finally {
        await client.query("rollback");
        client.release();
      }
    }
  });

  test("writes the transaction id in one spelling", async () => {
    const txid = randomTxid("USDT");
    const { depositId, customerId } = await pending({
      method: "USDT",
      approvedBy: grace,
      txid: `  ${txid.toUpperCase().replace("0X", "0x")} `,
    });
    expect((await findDeposit(db, customerId, depositId))?.txid).toBe(txid);
  });

  test.each([
    ["no quantity", { quantityUnits: 0n }, "deposits/quantity-out-of-range"],
    ["a negative quantity", { quantityUnits: -1n }, "deposits/quantity-out-of-range"],
    [
      "more bitcoin than there can be",
      { quantityUnits: 21_000_001n * 10n ** 8n },
      "deposits/quantity-out-of-range",
    ],
    ["no transaction id", { txid: "" }, "deposits/not-a-txid"],
    ["a transaction id of another chain", { txid: randomTxid("Ethereum") }, "deposits/not-a-txid"],
    [
      "a transaction id with a letter too much",
      { txid: `${randomTxid("Bitcoin")}a` },
      "deposits/not-a-txid",
    ],
    ["an output before the first", { outputIndex: -1 }, "deposits/not-an-output"],
    ["zero dollars", { usdCents: 0n }, "deposits/amount-out-of-range"],
  ])("with %s is refused and changes nothing", async (_, change, code) => {
    const deposit = await pending();
    await expect(
      approveTestDeposit(db, deposit, {
        ...deposit,
        txid: randomTxid("Bitcoin"),
        approvedBy: grace,
        ...change,
      }),
    ).rejects.toMatchObject({ code });
    expect(await findDeposit(db, deposit.customerId, deposit.depositId)).toMatchObject({
      status: "Pending",
    });
    expect((await getBalances(db, deposit.customerId)).BTC.available).toBe(0n);
    expect(await actsOn(deposit.depositId)).toEqual([]);
  });

  test("what does not exist is refused", async () => {
    const deposit = await pending();
    const other = { ...deposit, depositId: "019aa5c2-0000-7000-8000-000000000000" };
    await expect(
      approveTestDeposit(db, other, { ...deposit, txid: randomTxid("Bitcoin"), approvedBy: grace }),
    ).rejects.toMatchObject({ code: "deposits/not-found" });
  });
});

describe("one payment is credited once", () => {
  test.each([
    ["the same transaction", null, null],
    ["an output after the whole transaction", null, 1],
    ["the whole transaction after an output", 1, null],
    ["the same output", 3, 3],
  ])("%s is refused for a second deposit", async (_, firstOutput, secondOutput) => {
    const txid = randomTxid("Bitcoin");
    const [one, two] = [await pending(), await pending()];
    await approveTestDeposit(db, one, {
      ...one,
      txid,
      outputIndex: firstOutput,
      approvedBy: grace,
    });
    await expect(
      approveTestDeposit(db, two, { ...two, txid, outputIndex: secondOutput, approvedBy: grace }),
    ).rejects.toMatchObject({ code: "deposits/payment-already-credited" });
    expect((await getBalances(db, two.customerId)).BTC.available).toBe(0n);
  });

  test("two outputs of one transaction pay two deposits", async () => {
    const txid = randomTxid("Bitcoin");
    const [one, two] = [await pending(), await pending()];
    await approveTestDeposit(db, one, { ...one, txid, outputIndex: 0, approvedBy: grace });
    await approveTestDeposit(db, two, { ...two, txid, outputIndex: 1, approvedBy: grace });
    expect((await getBalances(db, two.customerId)).BTC.available).toBe(1_250_000n);
  });

  test("even when ten deposits are approved against it at once, half of them naming an output", async () => {
    const txid = randomTxid("Bitcoin");
    const waiting = await Promise.all(Array.from({ length: 10 }, () => pending()));
    const done = await Promise.allSettled(
      waiting.map((deposit, at) =>
        approveTestDeposit(db, deposit, {
          ...deposit,
          txid,
          outputIndex: at % 2 ? 0 : null,
          approvedBy: grace,
        }),
      ),
    );
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { rows } = await owner.query(
      "select count(*)::int as count from deposits where txid = $1",
      [txid],
    );
    expect(rows[0].count).toBe(1);
  });
});

describe("rejecting", () => {
  test("says why, credits nothing, and takes the deposit out of the totals", async () => {
    const { depositId, customerId } = await pending({
      rejectedBy: grace,
      reason: "  The slip shows $90.  ",
    });
    expect(await findDeposit(db, customerId, depositId)).toMatchObject({
      status: "Rejected",
      rejectionReason: "The slip shows $90.",
      imageUrl: null,
      transferId: null,
    });
    expect(await depositTotals(db, customerId)).toEqual({
      totalUsdCents: 0n,
      pendingUsdCents: 0n,
      count: 0,
      pendingCount: 0,
    });
    expect(await actsOn(depositId)).toEqual(["deposits/reject"]);
  });

  test.each(["", "   ", "x".repeat(1001)])("needs a reason that can be read", async (reason) => {
    const deposit = await pending();
    await expect(
      rejectTestDeposit(db, deposit.depositId, grace, { ...deposit, reason }),
    ).rejects.toMatchObject({ code: "deposits/reason-missing" });
  });
});

describe("a deposit is reviewed once", () => {
  test.each([
    ["approved", "approved"],
    ["approved", "rejected"],
    ["rejected", "approved"],
    ["rejected", "rejected"],
  ])("%s, it cannot be %s", async (first, second) => {
    const deposit = await pending(
      first === "approved" ? { approvedBy: grace } : { rejectedBy: grace },
    );
    const again =
      second === "approved"
        ? approveTestDeposit(db, deposit, { customerId: deposit.customerId, approvedBy: alan })
        : rejectTestDeposit(db, deposit.depositId, alan, deposit);
    await expect(again).rejects.toMatchObject({ code: "deposits/already-reviewed" });
    expect(await actsOn(deposit.depositId)).toHaveLength(1);
  });

  test("when two operators approve and reject it at once over two pools, 20 times", async () => {
    const other = openDatabase(applicationUrl, openLog("silent"), { connections: 4 });
    for (let round = 0; round < 20; round += 1) {
      const deposit = await pending();
      const done = await Promise.allSettled([
        approveTestDeposit(db, deposit, { customerId: deposit.customerId, approvedBy: grace }),
        rejectTestDeposit(other, deposit.depositId, alan, deposit),
        approveTestDeposit(other, deposit, { customerId: deposit.customerId, approvedBy: alan }),
      ]);
      const refused = done.filter((outcome) => outcome.status === "rejected");
      expect(refused.map(({ reason }) => reason.code)).toEqual(
        Array(2).fill("deposits/already-reviewed"),
      );
      const { rows } = await owner.query(
        "select count(*)::int as count from ledger_transfers where key = $1",
        [`deposit:${deposit.depositId}`],
      );
      const found = await findDeposit(db, deposit.customerId, deposit.depositId);
      expect(rows[0].count).toBe(found?.status === "Approved" ? 1 : 0);
      expect(await actsOn(deposit.depositId)).toHaveLength(1);
    }
    await other.$client.end();
  });
});

describe("PostgreSQL itself refuses", () => {
  const approvedByHand = `update deposits set state = 'approved', image_url = '/x', quantity_units = 1,
    txid = '${"a".repeat(64)}', reviewed_at = now(), review_action_id = $2, transfer_id = $3 where id = $1`;

  test("an approval without its transfer", async () => {
    const one = await pending();
    const other = await pending({ approvedBy: grace });
    const { rows } = await owner.query("select id from audit_log where subject = $1", [
      `deposit:${other.depositId}`,
    ]);
    await expect(
      owner.query(approvedByHand, [one.depositId, rows[0].id, other.transferId]),
    ).rejects.toMatchObject({
      constraint: "reviews_are_staff_acts_on_the_deposit",
    });
    const act = await owner.query(
      `insert into audit_log (id, act, operator_id, customer_id, subject, occurred_at)
       values (gen_random_uuid(), 'deposits/approve', $1, $2, $3, now()) returning id`,
      [grace.id, one.customerId, `deposit:${one.depositId}`],
    );
    await expect(
      owner.query(approvedByHand, [one.depositId, act.rows[0].id, other.transferId]),
    ).rejects.toMatchObject({ constraint: "approvals_are_credited" });
  });

  test.each(["deposits/view-slip", "deposits/approve"])(
    "a rejection that rests on another act on the deposit: %s",
    async (name) => {
      const { depositId, customerId } = await pending();
      const act = await owner.query(
        `insert into audit_log (id, act, operator_id, customer_id, subject, occurred_at)
         values (gen_random_uuid(), $1, $2, $3, $4, now()) returning id`,
        [name, grace.id, customerId, `deposit:${depositId}`],
      );
      const rejection = `update deposits set state = 'rejected', rejection_reason = 'x', reviewed_at = now(),
        review_action_id = $2 where id = $1`;
      await expect(owner.query(rejection, [depositId, act.rows[0].id])).rejects.toMatchObject({
        constraint: "reviews_are_staff_acts_on_the_deposit",
      });
    },
  );

  test.each([
    [
      "a review without an audit row",
      "state = 'rejected', rejection_reason = 'x', reviewed_at = now()",
      "reviews_are_staff_acts_on_the_deposit",
    ],
    [
      "an image's address on a pending deposit",
      "image_url = '/x'",
      "approvals_name_quantity_payment_transfer_and_slip",
    ],
    [
      "a quantity on a pending deposit",
      "quantity_units = 1",
      "approvals_name_quantity_payment_transfer_and_slip",
    ],
    ["another amount on a pending deposit", "usd_cents = 1", "only_approvals_correct_the_amount"],
    ["another claim", "claimed_usd_cents = 1", "claims_are_never_rewritten"],
    ["another owner", "customer_id = gen_random_uuid()", "claims_are_never_rewritten"],
    ["an unknown state", "state = 'credited'", "reviews_are_staff_acts_on_the_deposit"],
  ])("%s, even from the owner of the table", async (_, change, constraint) => {
    const { depositId } = await pending();
    await expect(
      owner.query(`update deposits set ${change} where id = $1`, [depositId]),
    ).rejects.toMatchObject({ constraint });
  });

  test("any change of a reviewed deposit, even from the owner of the table", async () => {
    const { depositId } = await pending({ rejectedBy: grace });
    await expect(
      owner.query("update deposits set rejection_reason = 'other' where id = $1", [depositId]),
    ).rejects.toMatchObject({ constraint: "deposits_are_reviewed_once" });
  });

  test("a deposit that is born approved", async () => {
    const { customerId } = await pending();
    await expect(
      owner.query(
        `insert into deposits (id, customer_id, submission_key, method, declared_on, claimed_usd_cents, usd_cents, slip_id, created_at, state)
         values (gen_random_uuid(), $1, gen_random_uuid(), 'Bitcoin', now(), 1, 1, gen_random_uuid(), now(), 'approved')`,
        [customerId],
      ),
    ).rejects.toMatchObject({ constraint: "deposits_begin_pending" });
  });

  test.each([
    ["deleting a deposit", "delete from deposits"],
    ["rewriting a claim", "update deposits set claimed_usd_cents = 1"],
    ["giving a deposit to somebody else", "update deposits set customer_id = gen_random_uuid()"],
  ])("the application %s", async (_, statement) => {
    await expect(db.$client.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

describe("the ledger takes nothing that nothing stands behind, past all code of the application", () => {
  const refusal = (attempt: Promise<unknown>) =>
    attempt.then(
      () => "done",
      (error: { constraint?: string; cause?: { constraint?: string } }) =>
        error.constraint ?? error.cause?.constraint,
    );
  const post = (wanted: Parameters<typeof aTransfer>[0]) =>
    refusal(postTransfer(db, aTransfer(wanted)));

  test("no deposit without its document, with another's, or of more than it says", async () => {
    const { id: ownerId } = await createTestCustomer(db);
    const moves = { available: 5n, custody: -5n };
    const rule = "only_deposits_are_credited";
    expect(await post({ kind: "deposit", ownerId, moves })).toBe(rule);
    const waiting = await pending();
    const key = `deposit:${waiting.depositId}`;
    expect(await post({ kind: "deposit", ownerId: waiting.customerId, moves, key })).toBe(rule);
    const batch = [aDeposit(ownerId, 5n), aDeposit(ownerId, 6n)];
    expect(await refusal(postTransfers(db, batch))).toBe(rule);
    const more = db.transaction(async (tx) => {
      const transfer = aDeposit(ownerId, 5n, { key: `deposit:${randomUUID()}` });
      const [leg, ...legs] = transfer.legs;
      const both = [leg, ...legs].flatMap((each) =>
        each ? [each, { ...each, asset: "ETH" as const }] : [],
      );
      const { transferId } = await postTransfer(tx, { ...transfer, legs: both });
      const depositId = transfer.key.slice("deposit:".length);
      const said = { depositId, customerId: ownerId, asset: "BTC" as const, units: 5n };
      await documentDeposit(tx, { ...said, transferId, now: new Date() });
    });
    expect(await refusal(more)).toBe(rule);
    expect((await getBalances(db, ownerId)).ETH.available).toBe(0n);
  });

  test("no reversal of a deposit that stands, no fee without a batch, no hold for nothing, no conversion", async () => {
    const { id: ownerId } = await createTestCustomer(db);
    const { transferId, depositId } = await creditTestDeposit(db, ownerId, 9n);
    const mirror = { transferId, key: randomUUID(), occurredAt: new Date(), memo: "" };
    expect(await refusal(reverseTransfer(db, mirror))).toBe(
      "deposits_are_reversed_with_their_payment",
    );
    const fee = { network_fee_expense: -5n, custody: 5n };
    expect(await post({ kind: "network-fee", ownerId: "house", moves: fee })).toBe(
      "only_batches_pay_the_network",
    );
    const aside = { available: -5n, held: 5n };
    const reasons = "what_is_held_has_its_reasons";
    expect(await post({ kind: "hold", ownerId, moves: aside })).toBe(reasons);
    const client = await owner.connect();
    try {
      // Nor does a deposit say that something is held which is not.
      await client.query("begin");
      await client.query("alter table deposits disable trigger deposits_are_reviewed_once");
      await client.query(
        "alter table deposits drop constraint only_orphaned_deposits_hold_something",
      );
      await client.query("update deposits set held_units = 5 where id = $1", [depositId]);
      expect(await refusal(client.query("set constraints all immediate"))).toBe(reasons);
      await client.query("rollback");
      // Tests list conversions in their databases; as it is without them.
      await client.query("begin");
      await client.query("alter table ledger_transfer_kinds disable trigger the_chart_is_frozen");
      await client.query("delete from ledger_transfer_kinds where kind = 'conversion'");
      const { key, kind, legs } = aTransfer({
        kind: "conversion",
        ownerId,
        moves: { available: 5n, conversion: -5n },
      });
      const values = legs.map(({ account, asset, units }) => `"(${account},${asset},${units})"`);
      const conversion = client.query(
        "select post_transfer(gen_random_uuid(), $1, $2, $3, current_date, now(), 'x', '', $4)",
        [key, kind, ownerId, `{${values.join(",")}}`],
      );
      expect(await refusal(conversion)).toBe("movements_are_listed");
      await client.query("rollback");
    } finally {
      client.release();
    }
    expect((await getBalances(db, ownerId)).BTC).toEqual({ available: 9n, held: 0n });
  });
});
