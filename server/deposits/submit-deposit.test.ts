import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { maxWaitingClaims } from "#core/payments/deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestSlip, rejectTestDeposit, uniquePicture } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { openDatabase } from "../platform/database.ts";
import { openLog } from "../platform/log/log.ts";
import { findDeposit } from "./find-deposit.ts";
import { listDeposits } from "./list-deposits.ts";
import { type Submission, submitDeposit } from "./submit-deposit.ts";

const { db, owner, applicationUrl } = await testDatabase();
const product = { db, files: testFiles() };
const ada = await createTestCustomer(db);
const bob = await createTestCustomer(db);
const now = new Date("2026-11-21T23:30:00Z");

async function submission(wanted: Partial<Submission> = {}): Promise<Submission> {
  const customerId = wanted.customerId ?? ada.id;
  const { slipId } = await createTestSlip(product, customerId);
  const claim = { claimedUsdCents: 125_050n, method: "Bitcoin" } as const;
  return { customerId, submissionKey: randomUUID(), slipId, ...claim, ...wanted };
}

async function countOf(submissionKey: string): Promise<number> {
  const { rows } = await owner.query(
    "select count(*)::int as count from deposits where submission_key = $1",
    [submissionKey],
  );
  return rows[0].count;
}

test("declares a deposit that waits for review, of today by default", async () => {
  const { depositId, repeated } = await submitDeposit(db, await submission(), now);
  expect(repeated).toBe(false);
  expect(await findDeposit(db, ada.id, depositId)).toMatchObject({
    status: "Pending",
    declaredOn: "2026-11-21",
    claimedUsdCents: 125_050n,
    usdCents: 125_050n,
    method: "Bitcoin",
    asset: "BTC",
    imageUrl: null,
    transferId: null,
  });
});

test("tells its customer once", async () => {
  const wanted = await submission();
  const { depositId } = await submitDeposit(db, wanted, now);
  await submitDeposit(db, wanted, now);
  const { rows } = await owner.query(
    `select count(*)::int as count from graphile_worker._private_jobs
      where payload::text like '%' || $1 || '%'`,
    [depositId],
  );
  expect(rows[0].count).toBe(1);
});

test("answers the same submission again as the first time", async () => {
  const wanted = await submission();
  const first = await submitDeposit(db, wanted, now);
  const tomorrow = new Date("2026-11-22T00:10:00Z");
  expect(await submitDeposit(db, wanted, tomorrow)).toEqual({ ...first, repeated: true });
});

test("knows a repeated upload of the same file as the same submission", async () => {
  const bytes = await uniquePicture();
  const [one, two] = [
    await createTestSlip(product, ada.id, { bytes }),
    await createTestSlip(product, ada.id, { bytes }),
  ];
  const wanted = await submission({ slipId: one.slipId });
  const first = await submitDeposit(db, wanted, now);
  const again = await submitDeposit(db, { ...wanted, slipId: two.slipId }, now);
  expect(again).toEqual({ ...first, repeated: true });
});

test("makes one deposit of 50 equal submissions at once over two pools", async () => {
  const other = openDatabase(applicationUrl, openLog("silent"), { connections: 8 });
  const wanted = await submission();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => submitDeposit(at % 2 ? db : other, wanted, now)),
  );
  await other.$client.end();
  expect(new Set(answers.map(({ depositId }) => depositId)).size).toBe(1);
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(await countOf(wanted.submissionKey)).toBe(1);
});

test("makes one deposit of 8 equal submissions that each brought the slip along", async () => {
  const bytes = await uniquePicture();
  const wanted = await submission();
  const slips = await Promise.all(
    Array.from({ length: 8 }, () => createTestSlip(product, ada.id, { bytes })),
  );
  const answers = await Promise.all(
    slips.map(({ slipId }) => submitDeposit(db, { ...wanted, slipId }, now)),
  );
  expect(new Set(answers.map(({ depositId }) => depositId)).size).toBe(1);
  expect(await countOf(wanted.submissionKey)).toBe(1);
});

test("so many wait for review and no more, also of many at once; one that was decided makes room", async () => {
  const eve = await createTestCustomer(db);
  const ofEve = () => submission({ customerId: eve.id });
  for (let nth = 5; nth < maxWaitingClaims; nth += 1) await submitDeposit(db, await ofEve(), now);
  const wanted = await Promise.all(Array.from({ length: 8 }, ofEve));
  const done = await Promise.allSettled(wanted.map((each) => submitDeposit(db, each, now)));
  const refused = done.filter((each) => each.status === "rejected");
  expect(refused.map(({ reason }) => reason.message)).toEqual(
    Array.from({ length: 3 }, () => "deposits/too-many-waiting"),
  );
  const taken = wanted[done.findIndex(({ status }) => status === "fulfilled")];
  expect(taken && (await submitDeposit(db, taken, now))).toMatchObject({ repeated: true });
  const [waiting] = (await listDeposits(db, eve.id, { show: 1 })).deposits;
  const grace = await createTestOperator(db);
  const rejection = { customerId: eve.id, reason: "Nothing arrived." };
  await rejectTestDeposit(db, waiting?.depositId ?? "", grace, rejection);
  const again = wanted[done.findIndex(({ status }) => status === "rejected")];
  expect(again && (await submitDeposit(db, again, now))).toMatchObject({ repeated: false });
});

test("the same key from two customers is two deposits", async () => {
  const submissionKey = randomUUID();
  await submitDeposit(db, await submission({ submissionKey }), now);
  await submitDeposit(db, await submission({ submissionKey, customerId: bob.id }), now);
  expect(await countOf(submissionKey)).toBe(2);
});

describe("refuses", () => {
  test.each([
    ["another amount", { claimedUsdCents: 1n }],
    ["another method", { method: "USDT" }],
    ["another day", { declaredOn: "2026-01-01" }],
  ] as const)("a used key with %s", async (_, change) => {
    const wanted = await submission();
    await submitDeposit(db, wanted, now);
    await expect(submitDeposit(db, { ...wanted, ...change }, now)).rejects.toMatchObject({
      code: "deposits/submission-key-reused",
    });
    expect(await countOf(wanted.submissionKey)).toBe(1);
  });

  test("a used key with another slip", async () => {
    const wanted = await submission();
    await submitDeposit(db, wanted, now);
    const { slipId } = await createTestSlip(product, ada.id);
    await expect(submitDeposit(db, { ...wanted, slipId }, now)).rejects.toMatchObject({
      code: "deposits/submission-key-reused",
    });
  });

  test.each([0n, -1n, 10_000_000_001n])("an amount of %s cents", async (claimedUsdCents) => {
    await expect(
      submitDeposit(db, await submission({ claimedUsdCents }), now),
    ).rejects.toMatchObject({ code: "deposits/amount-out-of-range" });
  });

  test("a slip of somebody else, without a word about it", async () => {
    const { slipId } = await createTestSlip(product, bob.id);
    await expect(submitDeposit(db, await submission({ slipId }), now)).rejects.toMatchObject({
      code: "deposits/slip-not-found",
    });
  });

  test("a slip that another deposit has", async () => {
    const wanted = await submission();
    await submitDeposit(db, wanted, now);
    await expect(
      submitDeposit(db, { ...wanted, submissionKey: randomUUID() }, now),
    ).rejects.toMatchObject({ code: "deposits/slip-already-used" });
  });

  test("a slip whose file never arrived", async () => {
    const { slipId } = await createTestSlip(product, ada.id);
    await owner.query("update deposit_slips set stored_at = null where id = $1", [slipId]);
    await expect(submitDeposit(db, await submission({ slipId }), now)).rejects.toMatchObject({
      code: "deposits/slip-not-found",
    });
  });
});
