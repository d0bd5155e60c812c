import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { bounds } from "#core/payments/bounds.ts";
import { coinOfMethod, type DepositMethod } from "#core/payments/deposit.ts";
import { recordPayments } from "#server/chain/record-payments.ts";
import { approveDeposit } from "#server/deposits/approve-deposit.ts";
import { findApproval } from "#server/deposits/find-approval.ts";
import { listPendingDeposits } from "#server/deposits/list-pending-deposits.ts";
import { matchSlip } from "#server/deposits/slips/match-slip.ts";
import { getBalances } from "#server/ledger/get-balances.ts";
import { sql } from "#server/platform/sql.ts";
import { verifyBooks } from "#server/verify-books.ts";
import { coinOfNobody, openTestWallet, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, randomTxid } from "#tests/factories/deposit.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { verifyApprovedDocuments } from "../audit/verify-approved-documents.ts";
import { approveAsOperator, arrivedOf } from "./approve-as-operator.ts";
import { decideApprovalAsOperator } from "./decide-approval.ts";
import { findNextWaiting } from "./find-next-waiting.ts";
import { previewApproval } from "./preview-approval.ts";
import { rejectAsOperator } from "./reject-as-operator.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const now = new Date();
const approver = () => createTestOperator(db, { role: "approver", canAct: true });
const colleague = await approver();
type Approver = typeof colleague;

async function waiting(quantityUnits: bigint, method: DepositMethod = "Bitcoin") {
  const { id: customerId } = await createTestCustomer(db);
  const claimedUsdCents = 125_050n;
  const made = await createTestDeposit(product, { customerId, method, claimedUsdCents });
  return {
    deposit: { id: made.depositId, customerId, method, claimedUsdCents },
    quantityUnits,
    txid: randomTxid(method),
    usdCents: claimedUsdCents,
    outputIndex: null as number | null,
  };
}
type Waiting = Awaited<ReturnType<typeof waiting>>;

const approve = (by: Approver, wanted: Waiting) => approveAsOperator(db, by, wanted, now);
const isCredited = async (by: Approver, wanted: Waiting) =>
  (await approve(by, wanted)).transferId !== null;
const available = async ({ deposit }: Waiting) =>
  (await getBalances(db, deposit.customerId))[coinOfMethod[deposit.method]].available;
const decide = async (by: Approver, wanted: Waiting, into: "confirmed" | "declined") =>
  decideApprovalAsOperator(
    db,
    by,
    { approvalId: (await findApproval(db, wanted.deposit.id))?.id ?? "", into },
    now,
  );
const large = () => waiting(5n * bounds.approvedAlone.BTC);

async function wrong() {
  const found = [...(await verifyBooks(db)), ...(await verifyApprovedDocuments(db))];
  return found.filter(({ holds }) => !holds);
}

describe("one person alone", () => {
  test.each([
    ["Bitcoin", bounds.approvedAlone.BTC],
    ["Ethereum", bounds.approvedAlone.ETH],
    ["USDT", bounds.approvedAlone.USDT],
  ] as const)(
    "approves %s up to the sum of a day, in however many deposits",
    async (method, most) => {
      const grace = await approver();
      expect(await isCredited(grace, await waiting(most / 2n, method))).toBe(true);
      expect(await isCredited(grace, await waiting(most / 2n + 1n, method))).toBe(false);
      expect(await isCredited(grace, await waiting(most / 2n, method))).toBe(true);
      expect(await isCredited(grace, await waiting(1n, method))).toBe(false);
    },
  );

  test("has the sum of the last 24 hours, by PostgreSQL's clock, whatever time the act says", async () => {
    const grace = await approver();
    expect(await isCredited(grace, await waiting(bounds.approvedAlone.BTC))).toBe(true);
    const later = new Date(now.getTime() + 25 * 3_600_000);
    const more = await waiting(1n);
    expect(await approveAsOperator(db, grace, more, later)).toMatchObject({ transferId: null });
    await owner.query(
      `begin; alter table deposits disable trigger user;
       update deposits set alone_at = alone_at - interval '24 hours 1 second'
        where review_action_id in (select id from audit_log where operator_id = '${grace.id}');
       alter table deposits enable trigger user; commit`,
    );
    expect(await isCredited(grace, await waiting(bounds.approvedAlone.BTC))).toBe(true);
  });

  test("has it once, of two approvals at the same moment", async () => {
    for (let round = 0; round < 4; round += 1) {
      const grace = await approver();
      const both = [
        await waiting(bounds.approvedAlone.BTC),
        await waiting(bounds.approvedAlone.BTC),
      ];
      const done = await Promise.allSettled(both.map((each) => approve(grace, each)));
      const credited = await Promise.all(both.map(available));
      expect(credited.reduce((sum, units) => sum + units)).toBe(bounds.approvedAlone.BTC);
      for (const each of done) {
        if (each.status === "rejected") {
          expect(each.reason.message).toBe("deposits/second-person-needed");
        }
      }
    }
  });

  test("approves what the chain shows at the customer's own address, however much it is", async () => {
    const grace = await approver();
    const wanted = { ...(await large()), outputIndex: 0 };
    const key = await openTestWallet(db, colleague);
    const address = await testAddress(db, key, wanted.deposit.customerId);
    const block = { height: 900, hash: "ab".repeat(32), time: now };
    await owner.query(
      `insert into chain_positions (chain, began_at_height, height, hash, block_time, read_at)
       values ('bitcoin', 1, 1100, $1, $2, $2)`,
      ["cd".repeat(32), now],
    );
    await owner.query(
      "insert into chain_blocks (chain, height, hash) values ('bitcoin', 900, $1)",
      [block.hash],
    );
    const { txid, quantityUnits: units } = wanted;
    const what = { txid, outputIndex: 0, asset: "BTC" as const, address, units };
    const found = { ...what, coinbase: false, raw: new Uint8Array(1), spends: [coinOfNobody] };
    await db.transaction((tx) => recordPayments(tx, "bitcoin", [found], block, now));
    expect(await isCredited(grace, wanted)).toBe(true);
    // And it counts for nothing.
    expect(await isCredited(grace, await waiting(bounds.approvedAlone.BTC))).toBe(true);
  });
});

test("a payment takes no slip of which somebody said that another transaction paid it, and ends a proposal about itself", async () => {
  const grace = await approver();
  const wanted = await large();
  await approve(grace, wanted);
  const { customerId, method, claimedUsdCents } = wanted.deposit;
  const match = (txid: string) =>
    db.transaction((tx) => matchSlip(tx, { customerId, method, usdCents: claimedUsdCents, txid }));
  expect(await match(randomTxid("Bitcoin"))).toBeNull();
  expect(await match(wanted.txid)).toMatchObject({ depositId: wanted.deposit.id });
  await decide(grace, wanted, "declined");
  expect(await match(randomTxid("Bitcoin"))).toMatchObject({ depositId: wanted.deposit.id });
});

test("what was credited already is refused when it is proposed, not when it is confirmed", async () => {
  const grace = await approver();
  const first = await large();
  await approve(grace, first);
  await decide(colleague, first, "confirmed");
  const again = { ...(await large()), txid: first.txid };
  await expect(previewApproval(db, grace, again, now)).rejects.toThrow(
    "deposits/payment-already-credited",
  );
});

describe("two people", () => {
  const quantity = 5n * bounds.approvedAlone.BTC;
  let grace: Approver;
  beforeAll(async () => {
    grace = await approver();
  });

  test("see what will be posted; one proposes it, the other confirms it, and it is credited once", async () => {
    const wanted = await large();
    const preview = await previewApproval(db, grace, wanted, now);
    expect(preview).toMatchObject({ second: "needed" });
    expect(preview.entries).toMatchObject([
      { account: "available", units: quantity, balanceAfter: quantity },
      { account: "custody", units: -quantity },
    ]);
    expect(await findApproval(db, wanted.deposit.id)).toBeNull();

    await approve(grace, wanted);
    await approve(grace, wanted);
    expect(await available(wanted)).toBe(0n);
    const queued = await listPendingDeposits(db, { limit: 100 });
    expect(queued.find(({ depositId }) => depositId === wanted.deposit.id)).toMatchObject({
      isProposed: true,
    });
    const { rows: others } = await owner.query(
      "select id from deposits where state = 'pending' and id <> $1",
      [wanted.deposit.id],
    );
    const none = others.length === 0 ? null : expect.not.stringMatching(wanted.deposit.id);
    expect(await findNextWaiting(db, randomUUID(), grace.id)).toEqual(none);
    await expect(decide(grace, wanted, "confirmed")).rejects.toThrow("deposits/own-approval");
    await expect(approve(colleague, wanted)).rejects.toThrow("deposits/approval-proposed");
    const rejection = { deposit: wanted.deposit, reason: "Nothing arrived." };
    await expect(rejectAsOperator(db, colleague, rejection, now)).rejects.toThrow(
      "deposits/approval-proposed",
    );
    await Promise.all([1, 2, 3].map(() => decide(colleague, wanted, "confirmed")));
    expect(await available(wanted)).toBe(quantity);
    const { rows } = await owner.query(
      "select act, operator_id from audit_log where subject = $1 order by position",
      [`deposit:${wanted.deposit.id}`],
    );
    expect(rows).toEqual([
      { act: "deposits/propose-approval", operator_id: grace.id },
      { act: "deposits/confirm-approval", operator_id: colleague.id },
    ]);
    expect(await wrong()).toEqual([]);
  });

  test("decline it, or take their own back: then it waits as before", async () => {
    const wanted = await large();
    for (const by of [colleague, grace]) {
      await approve(grace, wanted);
      await decide(by, wanted, "declined");
      expect(await findApproval(db, wanted.deposit.id)).toBeNull();
    }
    const rejection = { deposit: wanted.deposit, reason: "Nothing arrived." };
    await rejectAsOperator(db, colleague, rejection, now);
    await expect(approve(grace, wanted)).rejects.toThrow("deposits/already-reviewed");
  });

  test("confirm nothing that was credited meanwhile, or of somebody who left", async () => {
    const [first, second] = [await large(), await large()];
    const same = { ...second, txid: first.txid };
    const eve = await approver();
    await approve(grace, first);
    await approve(eve, same);
    await decide(colleague, first, "confirmed");
    await expect(decide(colleague, same, "confirmed")).rejects.toThrow(
      "deposits/payment-already-credited",
    );
    const third = { ...(await large()), txid: first.txid };
    await expect(approve(grace, third)).rejects.toThrow("deposits/payment-already-credited");
    const last = await large();
    await approve(eve, last);
    await changeTestOperator(owner, eve.id, { state: "suspended" });
    await expect(decide(colleague, last, "confirmed")).rejects.toThrow("deposits/proposer-left");
    await decide(colleague, last, "declined");
    await decide(colleague, same, "declined");
  });

  test("are asked for by PostgreSQL, whoever writes: nothing else is confirmed than was proposed", async () => {
    const wanted = await large();
    await approve(grace, wanted);
    const { id } = (await findApproval(db, wanted.deposit.id)) ?? { id: "" };
    const rewrite =
      "update deposit_approvals set quantity_units = quantity_units * 2 where id = $1";
    await expect(owner.query(rewrite, [id])).rejects.toThrow();
    const alone =
      "update deposit_approvals set state = 'confirmed', decided_by = proposed_by, decided_by_act = proposed_by_act, decided_at = now() where id = $1";
    await expect(owner.query(alone, [id])).rejects.toThrow();
    // An act that was signed for another proposal, and somebody who does not decide.
    const act = randomUUID();
    await owner.query(
      `insert into audit_log (id, act, operator_id, customer_id, subject, detail, occurred_at)
       values ($1, 'deposits/confirm-approval', $2, $3, $4, $5, now())`,
      [
        act,
        colleague.id,
        wanted.deposit.customerId,
        `deposit:${wanted.deposit.id}`,
        { proposal: act },
      ],
    );
    const other =
      "update deposit_approvals set state = 'confirmed', decided_by = $2, decided_by_act = $3, decided_at = now() where id = $1";
    await expect(owner.query(other, [id, colleague.id, act])).rejects.toMatchObject({
      constraint: "approvals_are_confirmed_as_they_were_proposed",
    });
    const overtaken = "update deposit_approvals set state = 'overtaken' where id = $1";
    await expect(owner.query(overtaken, [id])).rejects.toMatchObject({
      constraint: "approvals_are_overtaken_by_their_payment",
    });
    const support = await createTestOperator(db, { role: "support" });
    const small = await waiting(1n);
    const { depositId, ...arrived } = arrivedOf(small);
    const approvedBySupport = db.transaction(async (tx) => {
      const auditId = randomUUID();
      await tx.execute(sql`insert into audit_log (id, act, operator_id, customer_id, subject, detail, occurred_at)
        values (${auditId}, 'deposits/approve', ${support.id}, ${small.deposit.customerId}, ${`deposit:${depositId}`}, '{}', now())`);
      await approveDeposit(tx, { depositId, ...arrived, auditId, now });
    });
    await expect(approvedBySupport).rejects.toMatchObject({
      cause: { constraint: "approvers_approve" },
    });
    const silenced = "update credentials set password = null where user_id = $1";
    await expect(owner.query(silenced, [colleague.id])).rejects.toMatchObject({
      constraint: "staff_keep_their_password",
    });

    const moved = "update credentials set user_id = $2 where user_id = $1";
    await expect(
      owner.query(moved, [colleague.id, wanted.deposit.customerId]),
    ).rejects.toMatchObject({ constraint: "credentials_stay_with_their_person" });
    await expect(
      owner.query("delete from credentials where user_id = $1", [colleague.id]),
    ).rejects.toMatchObject({ constraint: "staff_keep_their_way_in" });

    const open = await large();
    await expect(
      decideApprovalAsOperator(
        db,
        colleague,
        { approvalId: open.deposit.id, into: "confirmed" },
        now,
      ),
    ).rejects.toThrow("deposits/no-such-approval");
    await decide(colleague, wanted, "declined");
  });
});

test("where nobody else could look, one person approves any amount", async () => {
  const lone = await approver();
  const others = "select id from operators where id <> $1 and state = 'active'";
  for (const { id } of (await owner.query(others, [lone.id])).rows) {
    await changeTestOperator(owner, id, { state: "suspended" });
  }
  const wanted = await large();
  expect(await previewApproval(db, lone, wanted, now)).toMatchObject({ second: "missing" });
  expect(await isCredited(lone, wanted)).toBe(true);
  const { rows } = await owner.query("select detail from audit_log where subject = $1", [
    `deposit:${wanted.deposit.id}`,
  ]);
  expect(rows).toMatchObject([{ detail: { alone: true } }]);
});
