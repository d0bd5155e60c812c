import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Transaction } from "@scure/btc-signer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDays } from "#core/utc-day.ts";
import { sql } from "#server/platform/sql.ts";
import { bitcoinBatches } from "#tests/factories/bitcoin-batches.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { createFirstProofDay } from "#tests/factories/proof.ts";
import {
  createBitcoinPrice,
  createOfflineWallet,
  type OfflineWallet,
  recordTestWallet,
  testSteps,
} from "#tests/factories/withdrawal.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { chainReorgs } from "../../chain/schema.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import { verifyAuditLog } from "../../identity/audit/verify-audit-log.ts";
import { sealTransfers } from "../../ledger/seal-transfers.ts";
import { verifyClaims } from "../../ledger/verify/verify-claims.ts";
import { verifySeals } from "../../ledger/verify/verify-seals.ts";
import { proofClaims } from "../../proof/claims.ts";
import { listProofDays, listProofDaysOf } from "../../proof/list-days.ts";
import type { BuiltVersion } from "../batches/form-batch.ts";
import { type RebuildPlan, rebuildBatch } from "../batches/rebuild-batch.ts";
import { type AnotherPayment, uploadSigned } from "../batches/upload-signed.ts";
import { scriptOfMark } from "./mark.ts";
import { planBitcoinVersion } from "./plan-batch.ts";
import { verifyMarks } from "./verify-marks.ts";
import { withMarks } from "./with-marks.ts";

const { db, owner } = await testDatabase();
const asked = new Date("2026-03-10T12:00:00Z");
const now = new Date("2026-03-11T09:00:00Z");
const [grace, alan] = [await createTestOperator(db), await createTestOperator(db)];
const folder = mkdtempSync(path.join(tmpdir(), "assay-marks-"));
let bitcoin: RunningBitcoinNode;
let wallet: OfflineWallet;
let batches: ReturnType<typeof bitcoinBatches>;

beforeAll(async () => {
  bitcoin = await startBitcoinNode();
  wallet = await createOfflineWallet(bitcoin);
  await recordTestWallet(db, wallet, asked);
  await createBitcoinPrice(db, asked);
  await wallet.fund(40_000_000n, 30_000_000n, 20_000_000n, 10_000_000n);
  const people = { treasurer: grace, approver: alan };
  batches = bitcoinBatches({ db, bitcoin, wallet, ...people, asked, now });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await bitcoin.stop();
});

const publishDays = (most: number) => db.execute(sql`select publish_proof_days(${most})`);
const listed = async () => withMarks(db, await listProofDays(db));
const newestDigest = async () => (await listProofDays(db))[0]?.digest ?? "";
const markOfVersion = async (batchId: string) => {
  const { mark } = await batches.newest(batchId);
  return mark && Buffer.from(mark).toString("hex");
};
const mineBatch = async (batchId: string) => {
  await batches.send(batchId);
  await bitcoin.mine(6);
  await batches.follow();
};
const verified = () => verifyMarks(db, bitcoin.node);
const outputsOf = (psbt: Uint8Array) => {
  const tx = Transaction.fromPSBT(psbt, { allowUnknownOutputs: true });
  return Array.from({ length: tx.outputsLength }, (_, i) => tx.getOutput(i));
};

function never(): never {
  throw new Error("there is one");
}
let bumped = "";
test("before the first digest a batch carries none, and nothing is missed", async () => {
  await batches.approved();
  const batchId = await batches.form();
  expect(await markOfVersion(batchId)).toBeNull();
  await mineBatch(batchId);
  expect(await verified()).toMatchObject([{ holds: true, detail: "0 marks" }]);
});

test("a batch that pays carries the newest digest, a version of a later day that day's, and one that pays nobody none", async () => {
  await sealTransfers(db, now);
  await createFirstProofDay(owner, 40);
  await publishDays(2);
  await batches.approved();
  const alone = await batches.approved();
  bumped = await batches.form();
  expect(await markOfVersion(bumped)).toBe(await newestDigest());
  const { unsigned, feeUnits, changeUnits, spends } = await batches.newest(bumped);
  const outputs = outputsOf(unsigned);
  expect(outputs).toHaveLength(4);
  expect(outputs[0]).toMatchObject({
    amount: 0n,
    script: scriptOfMark(Buffer.from(await newestDigest(), "hex")),
  });
  expect(spends).toHaveLength(1);
  // The fee is counted for the mark as well.
  const signed = Transaction.fromPSBT(await wallet.sign(unsigned), lenient);
  signed.finalize();
  const { vsize } = signed;
  expect(Number(feeUnits) / vsize).toBeGreaterThanOrEqual(5);
  expect(Number(feeUnits) / vsize).toBeLessThan(5.1);
  expect(changeUnits).toBeGreaterThan(0n);
  const before = await newestDigest();
  await publishDays(3);
  expect(await newestDigest()).not.toBe(before);
  await batches.rebuild(bumped);
  expect(await markOfVersion(bumped)).toBe(await newestDigest());
  await batches.rebuild(bumped, { feePerKvb: 40_000, leaveOut: [alone.withdrawalId] });
  expect(await markOfVersion(bumped)).toBe(await newestDigest());
});
const lenient = { allowUnknownOutputs: true };

test("a batch that comes back signed with another mark, or with none, is refused, and its signer reads what is wrong", async () => {
  const { unsigned, number } = await batches.newest(bumped);
  const [digest, other] = [await newestDigest(), "ab".repeat(32)];
  const differencesOf = async (change: (outputs: ReturnType<typeof outputsOf>) => unknown[]) => {
    const tx = Transaction.fromPSBT(unsigned, lenient);
    const forged = new Transaction({ ...lenient, version: tx.version, lockTime: tx.lockTime });
    for (let i = 0; i < tx.inputsLength; i++) forged.addInput(tx.getInput(i));
    for (const output of change(outputsOf(unsigned))) forged.addOutput(output as never);
    const signed = await wallet.sign(forged.toPSBT(0));
    const given = { batchId: bumped, number, signed, network: "regtest" as const };
    const nodes = { bitcoin: bitcoin.node, ethereum: null };
    const error = await uploadSigned(db, alan, { ...given, nodes }, now).catch((each) => each);
    return (error as AnotherPayment).differences;
  };
  expect(await differencesOf(([, ...rest]) => rest)).toEqual([
    `It does not carry the mark 41534159${digest}.`,
  ]);
  const script = scriptOfMark(Buffer.from(other, "hex"));
  expect(await differencesOf(([, ...rest]) => [{ amount: 0n, script }, ...rest])).toEqual([
    `It does not carry the mark 41534159${digest}.`,
    `It carries another mark, 41534159${other}.`,
  ]);
  // Money in such an output would be lost.
  expect(await differencesOf(([mark, ...rest]) => [{ ...mark, amount: 5n }, ...rest])).toEqual([
    `It does not carry the mark 41534159${digest}.`,
    `It pays 0.00000005 BTC to the script 6a2441534159${digest}, which is not in the batch.`,
  ]);
});

test("PostgreSQL takes no version with an older digest, with none, or whose transaction carries another", async () => {
  const place = { key: wallet.key, node: bitcoin.node, steps: testSteps };
  const plan = await planBitcoinVersion(db, { batchId: bumped, feePerKvb: 60_000, ...place }, now);
  const { number: after } = await batches.newest(bumped);
  const faultWith = async (change: Partial<BuiltVersion["columns"]>) => {
    const build: RebuildPlan["build"] = async (...given) => {
      const built = await plan.build(...given);
      return { ...built, columns: { ...built.columns, ...change } };
    };
    const again = { batchId: bumped, after, leaveOut: [], reason: "Again" };
    return rebuildBatch(db, grace, { ...again, plan: { ...plan, build } }, now).then(
      () => "nothing was refused",
      (error) => error.cause?.constraint ?? error.message,
    );
  };
  const rule = "versions_carry_the_newest_digest";
  const oldest = Buffer.from((await listProofDays(db)).at(-1)?.digest ?? "", "hex");
  expect(await faultWith({ mark: null })).toBe(rule);
  expect(await faultWith({ mark: oldest })).toBe(rule);
  const { unsigned } = await batches.newest(bumped);
  await publishDays(1);
  expect(await faultWith({ unsigned })).toBe(rule);
  expect(await faultWith({})).toBe("nothing was refused");
  const signed = {
    act: "withdrawals/upload-signed" as const,
    subject: `withdrawal-batch:${bumped}`,
  };
  const { id } = await batches.newest(bumped);
  const upload = actAsOperator(db, alan, { ...signed, detail: {}, now }, (tx, act) =>
    tx.execute(sql`update withdrawal_batch_versions
      set raw = '\\x00', signed_by = ${alan.id}, signed_by_act = ${act}, signed_at = ${now.toISOString()} where id = ${id}`),
  );
  await expect(upload).rejects.toMatchObject({
    cause: { constraint: "versions_are_signed_with_their_mark" },
  });
});

test("what was mined is listed, verified, and checked by the script with a hash that was kept", async () => {
  expect((await listed()).filter(({ mark }) => mark)).toEqual([]);
  await mineBatch(bumped);
  const [{ day, digest } = never()] = await listProofDays(db);
  const { txid, raw } = await batches.newest(bumped);
  const height = await bitcoin.call<number>("getblockcount");
  const mark = { day, txid, height: height - 5 };
  expect((await listed()).every((each) => each.mark)).toBe(true);
  expect((await listed())[3]).toMatchObject({ day: addDays(day, -3), mark });
  await publishDays(1);
  expect((await listed()).slice(0, 2)).toMatchObject([{ mark: null }, { day, mark }]);
  expect(await verified()).toMatchObject([
    { holds: true, detail: `1 marks, the newest of ${day}` },
  ]);

  const kept = (await listProofDays(db)).at(-1) ?? never();
  const save = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const months = [...new Set([kept.day, day].map((each) => each.slice(0, 7)))];
  const files = await Promise.all(
    months.map(async (month) =>
      save(`${month}.json`, JSON.stringify(await listProofDaysOf(db, month))),
    ),
  );
  const hex = Buffer.from(raw ?? []).toString("hex");
  const script = path.resolve(import.meta.dirname, "../../../public/check-mark.py");
  const check = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("python3", [script, ...args], {
      encoding: "utf8",
    });
    return { status, said: stdout.trim(), stderr };
  };
  const transaction = save("transaction", `${hex}\n`);
  const ofKept = `${kept.day}:${kept.digest}`;
  const ok = `ok: ${txid} carries the hash of ${day}, and with it those of all days before.`;
  expect(check(transaction, ofKept, ...files)).toEqual({ status: 0, said: ok, stderr: "" });
  // Who was paid by the transaction needs nothing else.
  expect(check(transaction, ...files)).toMatchObject({ said: ok });
  const saysWrong = (what: string, ...args: string[]) =>
    expect(check(...args)).toMatchObject({ status: 1, said: `WRONG: ${what}` });
  saysWrong(
    `in the files ${kept.day} does not have the hash that you kept.`,
    ...[transaction, `${kept.day}:${digest}`, ...files],
  );
  const other = hex.replace(digest, "ab".repeat(32));
  expect(check(save("other", other), ...files).said).toMatch(
    /^WRONG: .* carries the hash of no day/,
  );
  const [oldest = never(), ...rest] = files;
  const rewritten = JSON.parse(readFileSync(oldest, "utf8")).map((each: { day: string }) =>
    each.day === kept.day ? { ...each, sealNumber: "9" } : each,
  );
  saysWrong(
    `in the files ${addDays(kept.day, 1)} does not follow ${kept.day}.`,
    ...[transaction, save("rewritten.json", JSON.stringify(rewritten)), ...rest],
  );
  expect(check(transaction)).toMatchObject({ status: 1, said: "" });
});

/** What somebody does who owns the tables and makes everything fit again: the digests of all days, and what versions say of them. */
const daysAnew = `
  do $$ declare d proof_days; previous bytea := decode(repeat('00', 32), 'hex'); before bytea;
  begin
    for d in select * from proof_days order by day loop
      before := d.digest;
      d.previous_digest := previous;
      d.seal_hash := (select hash from ledger_seals where number = d.seal_number);
      d.audit_hash := (select hash from audit_chain where link = d.audit_link);
      previous := proof_digest(d);
      update proof_days set (previous_digest, seal_hash, audit_hash, digest) = (d.previous_digest, d.seal_hash, d.audit_hash, previous)
       where day = d.day;
      update withdrawal_batch_versions set mark = previous where mark = before;
    end loop;
  end $$`;
const linksAnew = `
  do $$ declare l audit_chain; previous bytea := decode(repeat('00', 32), 'hex');
  begin
    for l in select * from audit_chain order by link loop
      update audit_chain set previous_hash = previous,
             hash = audit_hash(l.link, previous, (select a from audit_log a where a.id = l.act_id))
       where link = l.link returning hash into previous;
    end loop;
  end $$`;

async function withoutRules(...statements: string[]) {
  const tables = ["ledger_transfers", "ledger_seals", "ledger_blocks", "audit_log", "audit_chain"];
  const all = [...tables, "proof_days", "withdrawal_batch_versions"];
  const allWith = (change: string) =>
    all.map((table) => `alter table ${table} ${change} trigger user`);
  const whole = [
    ...["begin", "set local session_replication_role = replica", ...allWith("disable")],
    ...[...statements, ...allWith("enable"), "commit"],
  ];
  await owner.query(whole.join(";\n"));
}

const contradiction = async () => {
  const { txid } = await batches.newest(bumped);
  return [
    {
      holds: false,
      detail: expect.stringMatching(`^1 wrong, first: the batch of 2026-03-11, ${txid}, carries`),
    },
  ];
};

test("an act rewritten, with a chain of links and digests that fit, contradicts what was mined", async () => {
  await withoutRules(
    `update audit_log set detail = detail || '{"amount": "1 BTC"}' where position = (select min(position) from audit_log)`,
    linksAnew,
    daysAnew,
  );
  const checks = [...(await verifyAuditLog(db)), ...(await verifyClaims(db, proofClaims))];
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  expect(await verified()).toMatchObject(await contradiction());
  await withoutRules(
    `update audit_log set detail = detail - 'amount' where position = (select min(position) from audit_log)`,
    linksAnew,
    daysAnew,
  );
  expect(await verified()).toMatchObject([{ holds: true }]);
});

test("a transfer rewritten, with seals and digests that fit, contradicts what was mined", async () => {
  await withoutRules(
    "update ledger_transfers set memo = 'as it never was' where number = (select min(number) from ledger_transfers)",
    "delete from ledger_blocks",
    "delete from ledger_seals",
  );
  await sealTransfers(db, now);
  await withoutRules(daysAnew);
  const checks = await verifyClaims(db, proofClaims, (tx) => verifySeals(tx, undefined));
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  expect(await verified()).toMatchObject(await contradiction());
});

test("a mark whose block has left the chain is listed no more, and the verification says so", async () => {
  await bitcoin.reorganise(7);
  const height = await bitcoin.call<number>("getblockcount");
  const branch = { forkHeight: height - 8, oldHeight: height - 1, oldHash: "00", payments: 0 };
  const left = { id: randomUUID(), chain: "bitcoin" as const, ...branch };
  await db.insert(chainReorgs).values({ ...left, foundAt: new Date(now.getTime() + 60_000) });
  expect((await listed()).filter(({ mark }) => mark)).toEqual([]);
  expect(await verified()).toMatchObject([
    { holds: false, detail: expect.stringContaining("has left its block") },
  ]);
});
