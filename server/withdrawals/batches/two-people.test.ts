import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { bounds } from "#core/payments/bounds.ts";
import { askClosing } from "#server/personal-data/ask-closing.ts";
import { verifyBooks } from "#server/verify-books.ts";
import { testPassword, testSite } from "#tests/factories/customer.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import {
  createUnsentBatch,
  createWithdrawer,
  nobodysBrowser,
} from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { orderBroadcast } from "./order-broadcast.ts";

const { db, owner } = await testDatabase();
const now = new Date();
const yesterday = new Date(now.getTime() - 30 * 3_600_000);
const [grace, alan] = [
  await createTestOperator(db, { canAct: true }),
  await createTestOperator(db, { canAct: true }),
];
let vout = 0;
/** More than the network takes of a batch of one payment: 5 sat for each of its 141 virtual bytes. */
const fee = 1_000n;

/** An act on a batch, as the application would write it. */
async function actOn(batchId: string, act: string, { id }: { id: string }): Promise<string> {
  const actId = randomUUID();
  await owner.query(
    "insert into audit_log (id, act, operator_id, subject, occurred_at) values ($1, $2, $3, $4, now())",
    [actId, act, id, `withdrawal-batch:${batchId}`],
  );
  return actId;
}

/** A batch of so much that grace formed and somebody signed: the final payment of somebody who leaves, which no level limits. */
async function signed(units: bigint): Promise<string> {
  const customer = await createWithdrawer(db, { now: yesterday, units });
  const leaving = { customerId: customer.id, password: testPassword, site: testSite };
  await askClosing(db, { ...leaving, browser: nobodysBrowser, now: yesterday });
  const final = { isFinal: true, amount: "all" as const, twoPeopleAboveUnits: units + fee };
  const wanted = { customer, operator: grace, vout: vout++, ...final };
  const { batchId } = await createUnsentBatch(db, wanted);
  const act = await actOn(batchId, "withdrawals/upload-signed", alan);
  await plant(
    `raw = '\\x00', signed_by = '${alan.id}', signed_by_act = '${act}', signed_at = now() where batch_id = '${batchId}'`,
  );
  return batchId;
}

async function plant(change: string): Promise<void> {
  await owner.query(
    `begin; alter table withdrawal_batch_versions disable trigger user; update withdrawal_batch_versions set ${change};
     alter table withdrawal_batch_versions enable trigger user; commit`,
  );
}

const order = (batchId: string, by = grace) =>
  orderBroadcast(db, by, { batchId, number: 1 }, now).then(
    () => "ordered",
    (error: Error) => error.message,
  );
const half = bounds.orderedAlone.BTC / 2n - fee;

test("many small batches of one person are one large one: a colleague orders what is above the sum of a day", async () => {
  const [first, second, third] = [await signed(half), await signed(half), await signed(100_000n)];
  const done = await Promise.all([order(first), order(second)]);
  expect(done).toEqual(["ordered", "ordered"]);
  expect(await order(third)).toBe("withdrawals/second-person-needed");
  expect(await order(third, alan)).toBe("ordered");
  // What two people sent counts for neither.
  await plant("alone_at = alone_at - interval '24 hours 1 second' where alone_at is not null");
  // The network's fee leaves as well.
  expect(await order(await signed(bounds.orderedAlone.BTC))).toBe(
    "withdrawals/second-person-needed",
  );
  expect(await order(await signed(bounds.orderedAlone.BTC - fee))).toBe("ordered");
  expect(await order(await signed(100_000n))).toBe("withdrawals/second-person-needed");
  const claims = await verifyBooks(db);
  expect(claims.filter(({ claim, holds }) => !holds && claim.includes("two people"))).toEqual([]);
});

test("nothing is ordered for whom a credit has to be taken back from", async () => {
  const batchId = await signed(100_000n);
  await owner.query(
    `begin; alter table deposits disable trigger user;
     update deposits set state = 'orphaned', orphaned_at = now()
      where customer_id = (select customer_id from withdrawals where batch_id = '${batchId}');
     alter table deposits enable trigger user; commit`,
  );
  expect(await order(batchId, alan)).toBe("withdrawals/customer-owes");
});

test("two orders of one person at the same moment are not more than one may", async () => {
  await plant("alone_at = alone_at - interval '24 hours 1 second' where alone_at is not null");
  const both = [await signed(half + fee), await signed(half + fee)];
  const done = await Promise.all(both.map((each) => order(each)));
  expect(done.sort()).toEqual(["ordered", "withdrawals/second-person-needed"]);
});

test("where nobody else could order it, one person does", async () => {
  const batchId = await signed(half);
  expect(await order(batchId)).toBe("withdrawals/second-person-needed");
  await changeTestOperator(owner, alan.id, { state: "suspended" });
  expect(await order(batchId)).toBe("ordered");
});

test("PostgreSQL takes no order of somebody who is no approver, and no version that no treasurer built", async () => {
  const batchId = await signed(100_000n);
  const { id: treasurer } = await createTestOperator(db, { role: "treasurer" });
  const { id: approver } = await createTestOperator(db, { role: "approver" });
  const ordered = await actOn(batchId, "withdrawals/order-broadcast", { id: treasurer });
  await expect(
    owner.query(
      "update withdrawal_batch_versions set ordered_by = $1, ordered_by_act = $2, ordered_at = now() where batch_id = $3",
      [treasurer, ordered, batchId],
    ),
  ).rejects.toMatchObject({ constraint: "approvers_order" });
  const built = await actOn(batchId, "withdrawals/rebuild-batch", { id: approver });
  const again = { id: randomUUID(), number: 2, made_by: approver, made_by_act: built };
  const unsigned = { raw: null, signed_by: null, signed_by_act: null, signed_at: null };
  await expect(
    owner.query(
      `insert into withdrawal_batch_versions
       select n.* from withdrawal_batch_versions v
        cross join jsonb_populate_record(v, $1::jsonb) n where v.batch_id = $2`,
      [JSON.stringify({ ...again, ...unsigned }), batchId],
    ),
  ).rejects.toMatchObject({ constraint: "preparers_build" });
});

test("PostgreSQL takes no version whose fee is above a tenth of what it pays", async () => {
  const batchId = await signed(1_000_000n);
  const again = async (feeUnits: bigint) => {
    const madeByAct = await actOn(batchId, "withdrawals/rebuild-batch", grace);
    const made = { id: randomUUID(), number: 2, made_by: grace.id, made_by_act: madeByAct };
    const unsigned = { raw: null, signed_by: null, signed_by_act: null, signed_at: null };
    const { rows } = await owner.query(
      `select (fee_units + change_units)::text as rest from withdrawal_batch_versions
        where batch_id = $1 and number = 1`,
      [batchId],
    );
    const change = String(BigInt(rows[0].rest) - feeUnits);
    const fee = {
      fee_units: String(feeUnits),
      change_units: change,
      txid: randomBytes(32).toString("hex"),
    };
    return owner.query(
      `insert into withdrawal_batch_versions
       select n.* from withdrawal_batch_versions v
        cross join jsonb_populate_record(v, $1::jsonb) n where v.batch_id = $2 and v.number = 1`,
      [JSON.stringify({ ...made, ...unsigned, ...fee }), batchId],
    );
  };
  await expect(again(100_001n)).rejects.toMatchObject({ constraint: "fees_are_usual" });
  await again(100_000n);
});

test("a version that pays nobody moves coins, which takes two people where there are two", async () => {
  await createTestOperator(db, { canAct: true });
  const batchId = await signed(100_000n);
  const needsTwo = async (change: Record<string, unknown>) => {
    const { rows } = await owner.query(
      `select payments_need_two($1, jsonb_populate_record(v, $2::jsonb)) as two
         from withdrawal_batch_versions v where v.batch_id = $3`,
      [grace.id, JSON.stringify(change), batchId],
    );
    return rows[0].two;
  };
  await plant("alone_at = null");
  expect(await needsTwo({})).toBe(false);
  expect(await needsTwo({ pays: [] })).toBe(true);
  expect(await needsTwo({ fee_units: String(bounds.orderedAlone.BTC) })).toBe(true);
});
