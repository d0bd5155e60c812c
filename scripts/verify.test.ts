import { expect, test } from "vitest";
import { sealTransfers } from "#server/ledger/seal-transfers.ts";
import { creditTestDeposit } from "#tests/factories/credited-deposit.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { runInProcess } from "#tests/setup/run-in-process.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readOrder } from "./verify-arguments.ts";
import { verifyCommand } from "./verify-command.ts";

const { db, owner, ownerUrl } = await testDatabase();

const verify = (...args: string[]) =>
  runInProcess(verifyCommand, args, { DATABASE_URL: ownerUrl, AUTH_SECRET: "x".repeat(40) });

test("says where the audit log's head is, and fails by name of the act that was changed", async () => {
  await createTestOperator(db);
  await createTestOperator(db);
  const whole = await verify("audit");
  expect(whole).toMatchObject({ status: 0, stderr: "" });
  const [head] = /2:[0-9a-f]{64}/.exec(whole.stdout) ?? [];
  expect(await verify("audit", "--head", head ?? "")).toMatchObject({ status: 0 });
  const other = await verify("audit", "--head", `2:${"0".repeat(64)}`);
  expect(other.status).toBe(1);
  expect(other.stdout).toContain("WRONG  link 2 is the one that was kept");
  await owner.query(`alter table audit_log disable trigger all;
    update audit_log set subject = 'nobody'`);
  const changed = await verify("audit");
  expect(changed.status).toBe(1);
  expect(changed.stdout).toMatch(/^WRONG {2}every act is as it was written.*: link 1, the act/m);
});

test("derives addresses again, and names a wallet that nobody configured", async () => {
  expect(await verify("addresses")).toMatchObject({ status: 0, stderr: "" });
  await owner.query(
    `insert into wallets (id, chain, network, descriptor, first_seen_at)
     values (gen_random_uuid(), 'bitcoin', 'regtest', 'wpkh(strange)', now())`,
  );
  const strange = await verify("addresses");
  expect(strange.status).toBe(1);
  expect(strange.stdout).toContain("wpkh(strange) is not configured");
});

test("verifies the ledger with its documents, whole or since a seal that was kept", async () => {
  const { id } = await createTestCustomer(db);
  await creditTestDeposit(db, id, 5_000n);
  await sealTransfers(db, new Date());
  const whole = await verify("ledger");
  expect(whole.stdout).not.toContain(
    "every credited deposit is one that was approved or paid, and was taken back only with its payment: 0",
  );
  // Tests list a kind that the product does not have.
  expect(whole.stdout.match(/^WRONG/gm) ?? []).toEqual([]);
  const [seal] = /seal 1 is ([0-9a-f]{64})/.exec(whole.stdout)?.slice(1) ?? [];
  await creditTestDeposit(db, id, 7_000n);
  const since = await verify("ledger", "--since", `1:${seal}`);
  expect(since.stdout).toMatch(/: \d new transfers/);
  expect(since.status).toBe(0);
  const other = await verify("ledger", "--since", `1:${"0".repeat(64)}`);
  expect(other.status).toBe(1);
  expect(other.stdout).toContain("WRONG  seal 1 is the one that was kept");
});

test("reads marks from a node, and says where none is named", async () => {
  expect(await verify("marks")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("BITCOIN_RPC_URL names no node to read the marks from"),
  });
});

test("says how it is used", async () => {
  const { status, stderr } = await verify("nothing");
  expect(status).toBe(1);
  expect(stderr).toContain("npm run verify -- audit [--head POSITION:HASH]");
});

test.each([
  [],
  ["nothing"],
  ["audit", "--head"],
  ["ledger", "--since"],
  ["ledger --since"],
  ["audit", "--head", "2"],
  ["audit", "x:y"],
  ["constructor"],
])("%s %s %s is no order", (...args) => {
  expect(readOrder(args)).toBeNull();
});
