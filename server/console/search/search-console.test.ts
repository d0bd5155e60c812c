import { expect, test } from "vitest";
import { operatorRoles } from "#core/permissions.ts";
import { sql } from "#server/platform/sql.ts";
import { proposeGift } from "#tests/factories/adjustment.ts";
import { openTestWallet, seePayment, testAddress } from "#tests/factories/chain.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit } from "#tests/factories/deposit.ts";
import { createTestThread } from "#tests/factories/message.ts";
import { createTestContract, createTestFleet, createTestPlan } from "#tests/factories/mining.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createTestPayout, createTestPool } from "#tests/factories/payout.ts";
import { createUnsentBatch, createWithdrawer } from "#tests/factories/withdrawal.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { readWish } from "./read-wish.ts";
import { searchConsole, searchStatement } from "./search-console.ts";

const { db, owner } = await testDatabase();
const product = { db, files: testFiles() };
const longAgo = new Date(Date.now() - 30 * 3_600_000);
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const ada = await createTestCustomer(db, { firstName: "Augusta", lastName: "Byron" });
const deposit = await createTestDeposit(product, { customerId: ada.id, approvedBy: grace });
const withdrawer = await createWithdrawer(db, { now: longAgo });
const { batchId, withdrawalId } = await createUnsentBatch(db, {
  customer: withdrawer,
  operator: grace,
});
const address = await testAddress(db, await openTestWallet(db, grace), ada.id);
const paymentId = await seePayment(db, address);
const adjustmentId = await proposeGift(product, grace, ada.id, { units: 1n });
const { threadId } = await createTestThread(db, { email: "writer@example.com" });
const poolId = await createTestPool(db, grace);
const payoutId = await createTestPayout(db, grace, { poolId, day: "2026-02-03" });
await createTestFleet(db, { ghs: 100_000n, from: "2026-06-01" });
const boughtAt = new Date("2026-06-01T12:00:00Z");
const { versionId } = await createTestPlan(db, { now: boughtAt });
const { contractId } = await createTestContract(db, {
  customerId: ada.id,
  versionId,
  now: boughtAt,
});

const find = async (text: string, role: (typeof operatorRoles)[number] = "owner") =>
  (await searchConsole(db, { text, role })).map(({ to }) => to);

async function one(query: string): Promise<string> {
  const { rows } = await owner.query(query);
  return String(Object.values(rows[0] ?? {})[0]);
}

test.each([
  ["a customer", ada.id, `/operator/customers/${ada.id}`],
  ["a colleague", grace.id, `/operator/staff/${grace.id}`],
  ["a deposit", deposit.depositId, `/operator/deposits/${deposit.depositId}`],
  ["a withdrawal", withdrawalId, `/operator/withdrawals/${withdrawalId}`],
  ["a batch", batchId, `/operator/withdrawals/batches/${batchId}`],
  ["a payment", paymentId, `/operator/chain/payments/${paymentId}`],
  ["an adjustment", adjustmentId, `/operator/adjustments/${adjustmentId}`],
  ["a message", threadId, `/operator/messages/${threadId}`],
  ["a payout", payoutId, `/operator/payouts/${payoutId}`],
  ["a plan", versionId, `/operator/plans/${versionId}`],
  ["a contract", contractId, `/operator/customers/${ada.id}/contracts`],
  ["a transfer", deposit.transferId ?? "", `/operator/customers/${ada.id}/ledger`],
  ["a mail", deposit.mailId, `/operator/mail/${deposit.mailId}`],
])("finds %s by its id", async (_, id, to) => {
  expect(await find(` ${id.toUpperCase()} `)).toEqual([to]);
});

test("finds what a transaction paid, an address and whose it is, a message by its reference, an act by its place", async () => {
  expect(await find(deposit.txid ?? "")).toEqual([`/operator/deposits/${deposit.depositId}`]);
  const txid = await one(`select txid from chain_payments where id = '${paymentId}'`);
  expect(await find(`0x${txid}`)).toEqual([`/operator/chain/payments/${paymentId}`]);
  const batchs = await one("select txid from withdrawal_batch_versions");
  expect(await find(batchs)).toEqual([`/operator/withdrawals/batches/${batchId}`]);
  const ofPool = await one(`select txid from pool_payouts where id = '${payoutId}'`);
  expect(await find(ofPool)).toEqual([`/operator/payouts/${payoutId}`]);
  expect(await find(address.toUpperCase())).toEqual([
    `/operator/customers/${ada.id}/deposits`,
    `/operator/chain/payments/${paymentId}`,
  ]);
  expect(await find(withdrawer.address)).toEqual([
    `/operator/customers/${withdrawer.id}/withdrawals`,
    `/operator/withdrawals/${withdrawalId}`,
  ]);
  const reference = await one("select reference from contact_threads");
  expect(await find(reference.toLowerCase())).toEqual([`/operator/messages/${threadId}`]);
  expect(await find("writer@example.com")).toEqual([`/operator/messages/${threadId}`]);
  expect(await find("#2")).toEqual(["/operator/audit?after=3"]);
  expect(await find("2026-02-03")).toEqual([`/operator/payouts/${payoutId}`]);
});

test("finds people by parts of their names and e-mails, and nothing by less than three letters", async () => {
  expect(await find("byro")).toEqual([`/operator/customers/${ada.id}`]);
  expect(await find(`${ada.email.slice(0, 14)} augusta`)).toEqual([
    `/operator/customers/${ada.id}`,
  ]);
  expect(await find("hopp gr")).toEqual([`/operator/staff/${grace.id}`]);
  for (const nothing of ["ad", "", "   ", "%%%", "nobody-of-this-name"]) {
    expect(await find(nothing), nothing).toEqual([]);
  }
});

test.each(["%%%", "@@@ ---", "_ _ _", "a-b-c", "..........", "\\\\\\"])(
  "nothing is asked for %s, which no index could find",
  (text) => {
    expect(searchStatement(readWish(text), "owner")).toBeNull();
  },
);

test.each(["0000-01-01", "9999-12-31", "#999999999999999", "a' or 1=1 --", "\u{d800}abc", "İİİ"])(
  "%s is looked for, and finds nothing",
  async (text) => {
    expect(await find(text)).toEqual([]);
  },
);

test("what a text holds of patterns is found as it stands", async () => {
  const percent = await createTestCustomer(db, { email: "ten_percent@example.com" });
  expect(await find("ten_per")).toEqual([`/operator/customers/${percent.id}`]);
  expect(await find("ten%per")).toEqual([]);
  expect(await find("tenXper")).toEqual([]);
});

test("a role finds only what it may read: what it may not is not even asked for", async () => {
  for (const [id, readers] of [
    [deposit.depositId, ["support", "verifier", "treasurer", "approver", "auditor", "owner"]],
    [withdrawalId, ["support", "treasurer", "approver", "auditor", "owner"]],
    [paymentId, ["treasurer", "approver", "auditor", "owner"]],
    [threadId, ["support", "auditor", "owner"]],
    [ada.id, ["support", "verifier", "treasurer", "approver", "auditor", "owner"]],
  ] as const) {
    for (const role of operatorRoles) {
      const found = await find(id, role);
      expect(found.length > 0, `${role}, ${id}`).toBe(
        (readers as readonly string[]).includes(role),
      );
    }
  }
  expect(searchStatement(readWish(deposit.txid ?? ""), "content")).toBeNull();
});

/** Tables that grow with customers and days; what is not here has tens of rows. */
const large = [
  ...["users", "customers", "deposits", "withdrawals", "contracts", "chain_payments", "mails"],
  ...["adjustments", "contact_threads", "ledger_keys", "ledger_transfers", "audit_log"],
  ...["kyc_submissions", "deposit_addresses", "withdrawal_addresses", "wallet_addresses"],
  ...["withdrawal_transactions", "withdrawal_batch_versions", "withdrawal_batches", "pool_payouts"],
  ...["mining_runs", "custody_counts"],
];

test.each([
  ["an id", ada.id],
  ["a transaction id", "a".repeat(64)],
  ["an address", address],
  ["an address of Ethereum", `0x${"a".repeat(40)}`],
  ["an e-mail", "somebody@example.com"],
  ["a name", "Lovelace"],
  ["a reference", "ABCD-1234"],
  ["a day", "2026-02-03"],
  ["a place", "12"],
])("%s is found by an index in every table that grows", async (_, text) => {
  const statement = searchStatement(readWish(text), "owner");
  if (!statement) throw new Error("there is something to ask");
  const plan = await db.transaction(async (tx) => {
    // Where there is no index at all, PostgreSQL still reads the whole table.
    await tx.execute(sql`set local enable_seqscan = off`);
    const { rows } = await tx.execute<{ "QUERY PLAN": string }>(sql`explain ${statement}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  const read = [...plan.matchAll(/Seq Scan on ([a-z_]+)/g)].map(([, table]) => table);
  expect(
    read.filter((table) => large.some((each) => table?.startsWith(each))),
    plan,
  ).toEqual([]);
});
