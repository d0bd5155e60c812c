import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Coin } from "#core/asset.ts";
import { listAccountHistory } from "#server/identity/account/list-account-history.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { listHouseBalances } from "#server/ledger/list-house-balances.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { reverseTransfer } from "#server/ledger/reverse-transfer.ts";
import { fundEquity, give, proposeGift, proposeTestReversal } from "#tests/factories/adjustment.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { confirmPayout } from "../payouts/confirm-payout.ts";
import { correctPayout } from "../payouts/correct-payout.ts";
import { approveAdjustment } from "./approve-adjustment.ts";
import { eraseEvidence } from "./erase-evidence.ts";
import { findAdjustment } from "./find-adjustment.ts";
import { proposeAdjustment } from "./propose-adjustment.ts";
import { rejectAdjustment } from "./reject-adjustment.ts";
import { sweepEvidence } from "./sweep-evidence.ts";
import { viewEvidence } from "./view-evidence.ts";
import { withdrawAdjustment } from "./withdraw-adjustment.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const now = new Date("2026-11-21T12:00:00Z");
const tessa = await createTestOperator(db, { role: "treasurer" });
const amir = await createTestOperator(db, { role: "approver" });
const olga = await createTestOperator(db);
const staff = { maker: tessa, checker: amir };

const approve = (operator: typeof olga, id: string) => approveAdjustment(db, operator, id, now);

async function equity(asset: Coin): Promise<bigint> {
  const found = (await listHouseBalances(db)).find(
    (each) => each.account === "operator_equity" && each.asset === asset,
  );
  return found?.units ?? 0n;
}

async function acts(subject: string): Promise<string[]> {
  const { rows } = await owner.query(
    "select act from audit_log where subject = $1 order by position",
    [subject],
  );
  return rows.map(({ act }) => act);
}

async function jobs(key: string): Promise<number> {
  const { rows } = await owner.query(
    "select count(*)::int as count from graphile_worker._private_jobs where key = $1",
    [key],
  );
  return rows[0].count;
}

test("credits a gift out of the operator's own money when a second person approves it, and tells the customer", async () => {
  const ada = await createTestCustomer(db);
  await fundEquity(product, staff, { units: 5_000n });
  const before = await equity("BTC");
  const id = await proposeGift(product, tessa, ada.id, { units: 4_000n, reason: "Late\n payout" });
  expect((await getBalances(db, ada.id)).BTC.available).toBe(0n);
  await approve(amir, id);
  expect((await getBalances(db, ada.id)).BTC.available).toBe(4_000n);
  expect(await equity("BTC")).toBe(before - 4_000n);
  expect(await findAdjustment(db, id)).toMatchObject({ state: "approved", reason: "Late payout" });
  expect(await acts(`adjustment:${id}`)).toEqual(["adjustments/propose", "adjustments/approve"]);
  expect(await jobs(`adjustment-posted:${id}`)).toBe(1);
  // Proposing is work among staff; what came of it stands in the customer's history.
  const { entries } = await listAccountHistory(db, ada.id, { page: 1, show: 10 });
  const told = entries.filter(({ what }) => what !== "registered");
  expect(told).toMatchObject([{ what: "adjustments/approve", detail: { reason: "Late payout" } }]);
});

test("nobody approves or rejects his own proposal, an owner neither, not even past all code", async () => {
  const ada = await createTestCustomer(db);
  const id = await proposeGift(product, olga, ada.id, { units: 1n });
  await expect(approve(olga, id)).rejects.toThrow("adjustments/own-proposal");
  const reject = rejectAdjustment(db, olga, { adjustmentId: id, reason: "No" }, now);
  await expect(reject).rejects.toThrow("adjustments/own-proposal");
  const act = { act: "adjustments/reject" as const, subject: `adjustment:${id}`, now };
  const forged = actAsOperator(
    db,
    olga,
    { ...act, customerId: ada.id, detail: {} },
    (tx, auditId) =>
      tx.execute(`update adjustments set state = 'rejected', rejection_reason = 'x', decided_at = now(),
      decided_by = '${olga.id}', decided_by_act = '${auditId}' where id = '${id}'`),
  );
  await expect(forged).rejects.toMatchObject({
    cause: { constraint: "who_proposed_does_not_decide" },
  });
  expect(await acts(`adjustment:${id}`)).toEqual(["adjustments/propose"]);
});

test("is posted once when two checkers approve at the same time, and once when one presses twice", async () => {
  const ada = await createTestCustomer(db);
  await fundEquity(product, staff, { units: 500n });
  const id = await proposeGift(product, tessa, ada.id, { units: 100n });
  const answers = await Promise.allSettled([approve(amir, id), approve(olga, id)]);
  const refused = answers.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({ reason: { code: "adjustments/already-decided" } });
  const winner = answers[0]?.status === "fulfilled" ? amir : olga;
  await Promise.all([approve(winner, id), approve(winner, id)]);
  expect((await getBalances(db, ada.id)).BTC.available).toBe(100n);
  expect(await acts(`adjustment:${id}`)).toHaveLength(2);
  const late = rejectAdjustment(db, olga, { adjustmentId: id, reason: "No" }, now);
  await expect(late).rejects.toThrow("adjustments/already-decided");
});

test("never gives more than there is, to two customers at once neither", async () => {
  const [ada, bob] = [await createTestCustomer(db), await createTestCustomer(db)];
  await fundEquity(product, staff, { asset: "ETH", units: 10n });
  const mine = await equity("ETH");
  const ids = await Promise.all(
    [ada, bob].map(({ id }) => proposeGift(product, tessa, id, { asset: "ETH", units: mine })),
  );
  const answers = await Promise.allSettled(
    ids.map((id, place) => approve(place === 0 ? amir : olga, id)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(answers.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "ledger/insufficient-equity" },
  });
  expect(await equity("ETH")).toBe(0n);
  const open = ids[answers.findIndex(({ status }) => status === "rejected")] ?? "";
  expect(await findAdjustment(db, open)).toMatchObject({ state: "open", transferId: null });
  await withdrawAdjustment(db, tessa, open, now);
  await expect(approve(amir, open)).rejects.toThrow("adjustments/already-decided");
});

test("a snapshot from before does not count the operator's money", async () => {
  const client = await db.$client.connect();
  await client.query("begin isolation level repeatable read");
  await expect(client.query("select require_equity()")).rejects.toThrow("reads what is committed");
  await client.query("rollback");
  client.release();
});

test("is taken back whole and once, by another two people, and both stand in the statement", async () => {
  const ada = await createTestCustomer(db);
  const id = await give(product, staff, ada.id, { units: 70n, kind: "subsidy" });
  const back = await proposeTestReversal(product, olga, id);
  await expect(proposeTestReversal(product, tessa, id)).rejects.toThrow("reversal-proposed");
  await expect(approve(olga, back)).rejects.toThrow("adjustments/own-proposal");
  await approve(amir, back);
  expect((await getBalances(db, ada.id)).BTC.available).toBe(0n);
  expect(await findAdjustment(db, id)).toMatchObject({ reversedBy: back, state: "approved" });
  expect(await jobs(`adjustment-reversed:${back}`)).toBe(1);
  await expect(proposeTestReversal(product, olga, id)).rejects.toThrow("reversal-proposed");
  await expect(proposeTestReversal(product, olga, back)).rejects.toThrow("not-reversible");
});

test("what a customer has used cannot be taken back from him", async () => {
  const ada = await createTestCustomer(db);
  const id = await give(product, staff, ada.id, { units: 70n });
  const spent = { available: -1n, conversion: 1n };
  await postTransfer(db, aTransfer({ kind: "conversion", ownerId: ada.id, moves: spent }));
  const back = await proposeTestReversal(product, olga, id);
  await expect(approve(amir, back)).rejects.toThrow("ledger/insufficient-balance");
  expect(await findAdjustment(db, back)).toMatchObject({ state: "open" });
});

test("own money that was given away cannot be taken out again", async () => {
  const ada = await createTestCustomer(db);
  const funding = await fundEquity(product, staff, { asset: "USDT", units: 900n });
  await give(product, staff, ada.id, { asset: "USDT", units: 1n, fund: false });
  const back = await proposeTestReversal(product, olga, funding);
  await expect(approve(amir, back)).rejects.toThrow("ledger/insufficient-equity");
});

test("one payment is own money, a customer's deposit or a pool's payout, and counts once", async () => {
  const ada = await createTestCustomer(db);
  const deposit = await createTestDeposit(product, { customerId: ada.id, approvedBy: olga });
  const funding = { units: 5n, txid: deposit.txid };
  await expect(fundEquity(product, staff, funding)).rejects.toThrow("payment-already-counted");
  const txid = randomBytes(32).toString("hex");
  await fundEquity(product, staff, { units: 5n, txid });
  await expect(fundEquity(product, staff, { units: 5n, txid })).rejects.toThrow("already-counted");
  const claimed = createTestDeposit(product, { customerId: ada.id, approvedBy: olga, txid });
  await expect(claimed).rejects.toThrow("deposits/payment-already-credited");
  const mined = { poolId: await createTestPool(db, olga), day: "2026-02-01" };
  for (const counted of [deposit.txid, txid]) {
    const again = createTestPayout(db, olga, { ...mined, txid: counted });
    await expect(again).rejects.toThrow("payouts/counted-otherwise");
  }
  const paid = randomBytes(32).toString("hex");
  await createTestPayout(db, olga, { ...mined, txid: paid });
  await expect(fundEquity(product, staff, { units: 5n, txid: paid })).rejects.toThrow("counted");
  const shown = createTestDeposit(product, { customerId: ada.id, approvedBy: olga, txid: paid });
  await expect(shown).rejects.toThrow("deposits/payment-already-credited");
});

test("a payout that was entered under somebody else's transaction gives it free when it is corrected", async () => {
  const ada = await createTestCustomer(db);
  const [poolId, another] = [await createTestPool(db, olga), await createTestPool(db, olga)];
  const correct = async (corrects: string, units: bigint, txid: string) => {
    const payoutId = randomUUID();
    const what = { payoutId, corrects, units, deliveredGhs: 1n, txid, statementId: null };
    await correctPayout(db, olga, { ...what, reason: "Not this one" }, now);
    return async () => confirmPayout(db, amir, payoutId, now);
  };
  // The customer's transaction instead of the pool's.
  const [his, right] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
  const wrong = await createTestPayout(db, olga, { poolId, day: "2026-02-02", txid: his });
  const shown = () =>
    createTestDeposit(product, { customerId: ada.id, approvedBy: olga, txid: his });
  const confirm = await correct(wrong, 1_000_000n, right);
  await expect(shown()).rejects.toThrow("deposits/payment-already-credited");
  await confirm();
  await shown();
  // And it counts once: nothing makes it a payout again.
  const back = { poolId, day: "2026-02-03", txid: his };
  await expect(createTestPayout(db, olga, back)).rejects.toThrow("payouts/counted-otherwise");
  // The wrong pool: it paid nothing, and the other one did.
  const txid = randomBytes(32).toString("hex");
  const misplaced = await createTestPayout(db, olga, { poolId, day: "2026-02-04", txid });
  const elsewhere = () => createTestPayout(db, olga, { poolId: another, day: "2026-02-04", txid });
  await expect(elsewhere()).rejects.toThrow("payouts/transaction-of-another-pool");
  await (await correct(misplaced, 0n, txid))();
  await elsewhere();
  await expect(correct(misplaced, 5n, txid)).rejects.toThrow("payouts/transaction-of-another-pool");
});

test("a gift needs evidence of the proposer's own, which is kept as it was and seen only with a trace", async () => {
  const ada = await createTestCustomer(db);
  const gift = {
    submissionKey: randomUUID(),
    kind: "goodwill" as const,
    customerId: ada.id,
    txid: null,
    asset: "BTC" as const,
    units: 1n,
    reason: "Kind",
    note: "",
    evidenceId: null,
  };
  await expect(proposeAdjustment(db, tessa, gift, now)).rejects.toThrow("evidence-missing");
  const id = await proposeGift(product, tessa, ada.id, { units: 1n });
  const { rows } = await owner.query("select evidence_id from adjustments where id = $1", [id]);
  const evidenceId: string = rows[0].evidence_id;
  for (const operator of [tessa, olga]) {
    const again = proposeAdjustment(
      db,
      operator,
      { ...gift, evidenceId, submissionKey: randomUUID() },
      now,
    );
    await expect(again).rejects.toThrow("evidence-not-found");
  }
  await sweepEvidence(product, new Date(now.getTime() + 90 * 86_400_000));
  expect((await viewEvidence(product, amir, id, now))?.mediaType).toBe("image/jpeg");
  expect(await acts(`adjustment:${id}`)).toContain("adjustments/view-evidence");
  const support = await createTestOperator(db, { role: "support" });
  await expect(viewEvidence(product, support, id, now)).rejects.toThrow("identity/not-permitted");
});

test("evidence goes after a rejection, the end of the account or ten years, and its hash stays", async () => {
  const after = (days: number) => new Date(now.getTime() + days * 86_400_000);
  const [ada, bob] = [await createTestCustomer(db), await createTestCustomer(db)];
  await fundEquity(product, staff, { units: 10n });
  const waiting = await proposeGift(product, tessa, ada.id, { units: 1n });
  const rejected = await proposeGift(product, tessa, ada.id, { units: 1n });
  await rejectAdjustment(db, amir, { adjustmentId: rejected, reason: "No" }, now);
  const given = await proposeGift(product, tessa, ada.id, { units: 1n });
  const givenToBob = await proposeGift(product, tessa, bob.id, { units: 1n });
  for (const id of [given, givenToBob]) await approve(amir, id);
  const all = [waiting, rejected, given, givenToBob];
  const erased = async () => {
    const found = await Promise.all(all.map((id) => findAdjustment(db, id)));
    return found.map((each) => each?.evidenceErasedAt != null);
  };
  await eraseEvidence(product, after(89));
  expect(await erased()).toEqual([false, false, false, false]);
  await eraseEvidence(product, after(91));
  expect(await erased()).toEqual([false, true, false, false]);
  expect(await viewEvidence(product, amir, rejected, now)).toBeNull();
  const gone = await findAdjustment(db, rejected);
  expect(gone).toMatchObject({
    evidenceName: "",
    evidenceSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  // Not even the owner of the tables erases what a customer who is here may ask about, or what waits.
  for (const id of [waiting, given]) {
    const early = owner.query(
      "update adjustment_evidence e set erased_at = $2, original_name = '' from adjustments a where a.evidence_id = e.id and a.id = $1",
      [id, after(365)],
    );
    await expect(early).rejects.toMatchObject({ constraint: "evidence_outlives_what_it_shows" });
  }
  // Bob's coins would keep his account open.
  await owner.query("alter table customers disable trigger nobody_leaves_while_something_is_owed");
  await owner.query("update customers set closed_at = $2, erased_at = $2 where id = $1", [
    bob.id,
    now,
  ]);
  await eraseEvidence(product, after(91));
  expect(await erased()).toEqual([false, true, false, true]);
  await eraseEvidence(product, after(365.25 * 10 + 1));
  expect(await erased()).toEqual([false, true, true, true]);
  expect(await eraseEvidence(product, after(365.25 * 10 + 1))).toEqual({ erased: 0 });
});

test("the same form is one proposal, with another content it is refused", async () => {
  const funding = {
    submissionKey: randomUUID(),
    kind: "equity-funding" as const,
    customerId: null,
    asset: "BTC" as const,
    units: 3n,
    reason: "Own coins",
    note: "",
    evidenceId: null,
    txid: randomBytes(32).toString("hex"),
  };
  const many = await Promise.all([1, 2, 3].map(() => proposeAdjustment(db, tessa, funding, now)));
  expect(new Set(many.map(({ adjustmentId }) => adjustmentId)).size).toBe(1);
  expect(await acts(`adjustment:${many[0]?.adjustmentId}`)).toEqual(["adjustments/propose"]);
  const other = proposeAdjustment(db, tessa, { ...funding, units: 4n }, now);
  await expect(other).rejects.toThrow("platform/sent-otherwise");
  await expect(withdrawAdjustment(db, olga, many[0]?.adjustmentId ?? "", now)).rejects.toThrow(
    "adjustments/not-your-proposal",
  );
});

test("roles that prepare do not decide, and those that decide do not prepare", async () => {
  const ada = await createTestCustomer(db);
  const propose = proposeGift(product, amir, ada.id, { units: 1n });
  await expect(propose).rejects.toThrow("identity/not-permitted");
  const id = await proposeGift(product, olga, ada.id, { units: 1n });
  await expect(approve(tessa, id)).rejects.toThrow("identity/not-permitted");
});

test("an account that was closed is given nothing", async () => {
  const ada = await createTestCustomer(db);
  const id = await proposeGift(product, tessa, ada.id, { units: 1n });
  await owner.query("update customers set closed_at = now() where id = $1", [ada.id]);
  await expect(approve(amir, id)).rejects.toThrow("adjustments/account-closed");
  const again = proposeGift(product, tessa, ada.id, { units: 1n });
  await expect(again).rejects.toThrow("adjustments/account-closed");
});

// As the application's own role, past all of its code: each of these must be impossible.
const gift = (id: string) => ({
  ...aTransfer({ kind: "goodwill", ownerId: id, moves: { available: 1n, operator_equity: -1n } }),
});

test("the ledger takes the operator's money from nobody but an approved adjustment", async () => {
  const ada = await createTestCustomer(db);
  await fundEquity(product, staff, { units: 50n });
  const rule = "operators_money_needs_two_people";
  const alone = [
    gift(ada.id),
    aTransfer({ kind: "subsidy", ownerId: ada.id, moves: { available: 1n, operator_equity: -1n } }),
    aTransfer({
      kind: "equity-funding",
      ownerId: "house",
      moves: { custody: -1n, operator_equity: 1n },
    }),
  ];
  for (const transfer of alone) {
    await expect(postTransfer(db, transfer)).rejects.toMatchObject({ constraint: rule });
  }
  const given = await give(product, staff, ada.id, { units: 3n });
  const { rows } = await owner.query("select transfer_id from adjustments where id = $1", [given]);
  const back = { transferId: rows[0].transfer_id, key: randomUUID(), occurredAt: now, memo: "" };
  await expect(reverseTransfer(db, back)).rejects.toMatchObject({ constraint: rule });
  expect((await getBalances(db, ada.id)).BTC.available).toBe(3n);
});

test("an approval that is written past the code names a real transfer and a real act, or is refused", async () => {
  const ada = await createTestCustomer(db);
  await fundEquity(product, staff, { units: 50n });
  const id = await proposeGift(product, tessa, ada.id, { units: 2n });
  const write = (set: string) =>
    db.$client.query(`update adjustments set ${set} where id = '${id}'`);
  const decided = `state = 'approved', decided_by = '${amir.id}', decided_at = now()`;
  const { rows } = await owner.query("select id from audit_log where subject = $1", [
    `adjustment:${id}`,
  ]);
  await expect(write(`${decided}, decided_by_act = '${rows[0].id}'`)).rejects.toMatchObject({
    constraint: "adjustments_are_staff_acts",
  });
  for (const moves of [
    { available: 1n, operator_equity: -1n },
    { available: 2n, operator_equity: -2n },
  ]) {
    const act = { act: "adjustments/approve" as const, subject: `adjustment:${id}`, now };
    const forged = actAsOperator(
      db,
      amir,
      { ...act, customerId: ada.id, detail: {} },
      async (tx, auditId) => {
        const transfer = aTransfer({ kind: "goodwill", ownerId: ada.id, moves });
        const { transferId } = await postTransfer(tx, transfer);
        await tx.execute(`update adjustments set ${decided}, decided_by_act = '${auditId}',
        transfer_id = '${transferId}' where id = '${id}'`);
      },
    );
    await expect(forged).rejects.toMatchObject({
      cause: { constraint: "approved_adjustments_are_posted" },
    });
  }
  await expect(write("units = 9")).rejects.toThrow("permission denied");
  await expect(
    owner.query(`update adjustments set units = 9, state = 'approved' where id = '${id}'`),
  ).rejects.toThrow();
  await expect(owner.query("delete from adjustments")).rejects.toThrow("only grows");
  await approve(amir, id);
  await expect(
    owner.query(`update adjustments set state = 'open' where id = '${id}'`),
  ).rejects.toMatchObject({ constraint: "adjustments_are_decided_once" });
});
