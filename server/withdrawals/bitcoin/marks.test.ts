import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Transaction } from "@scure/btc-signer";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
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
const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: Error) => error.message,
  );
const lenient = { allowUnknownOutputs: true };
const signedSize = async (psbt: Uint8Array) => {
  const signed = Transaction.fromPSBT(await wallet.sign(psbt), lenient);
  signed.finalize();
  return signed.vsize;
};
const outputsOf = (psbt: Uint8Array) => {
  const tx = Transaction.fromPSBT(psbt, lenient);
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
  expect(await verified()).toMatchObject([
    { holds: true, detail: "none yet" },
    { holds: true, detail: "1 batches" },
  ]);
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
  expect(Number(feeUnits) / (await signedSize(unsigned))).toBeCloseTo(5, 1);
  expect(changeUnits).toBeGreaterThan(0n);
  const before = await newestDigest();
  await publishDays(3);
  expect(await newestDigest()).not.toBe(before);
  // The next digest alone makes no other version.
  expect(await refusal(batches.rebuild(bumped, { feePerKvb: 5000 }))).toBe(
    "withdrawals/nothing-changed",
  );
  await batches.rebuild(bumped);
  expect(await markOfVersion(bumped)).toBe(await newestDigest());
  await batches.rebuild(bumped, { feePerKvb: 40_000, leaveOut: [alone.withdrawalId] });
  expect(await markOfVersion(bumped)).toBe(await newestDigest());
});

test("built again, the same transaction is no version: when a thousandth of a satoshi changes nothing, and when nothing comes back", async () => {
  await wallet.fund(195_560n);
  await batches.approved();
  const coins = await bitcoin.call<{ txid: string; vout: number; amount: number }[]>(
    "listunspent",
    [1],
    "offline",
  );
  const { txid, vout } = coins.find(({ amount }) => amount === 0.0019556) ?? never();
  const batchId = await batches.form({ feePerKvb: 1001, outpoints: [`${txid}:${vout}`] });
  expect((await batches.newest(batchId)).changeUnits).toBe(0n);
  for (const feePerKvb of [1002, 3000]) {
    const again = batches.rebuild(batchId, { feePerKvb });
    expect(await refusal(again)).toBe("withdrawals/nothing-changed");
  }
});

test("at a rate between whole ones a batch carries its mark too, and spends each coin that was chosen, one that costs more than it is worth among them", async () => {
  await wallet.fund(1_000_000n, 2_000n);
  await batches.approved();
  const coins = await bitcoin.call<{ txid: string; vout: number; amount: number }[]>(
    "listunspent",
    [1],
    "offline",
  );
  const outpoints = coins
    .filter(({ amount }) => amount === 0.01 || amount === 0.00002)
    .map(({ txid, vout }) => `${txid}:${vout}`);
  const { unsigned, feeUnits, spends } = await batches.newest(
    await batches.form({ feePerKvb: 40_500, outpoints }),
  );
  expect([...spends].sort()).toEqual(outpoints.sort());
  expect(outputsOf(unsigned)[0]).toMatchObject({ amount: 0n });
  expect(Number(feeUnits) / (await signedSize(unsigned))).toBeCloseTo(40.5, 0);
});

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

test("what was mined is listed and verified", async () => {
  expect((await listed()).filter(({ mark }) => mark)).toEqual([]);
  await mineBatch(bumped);
  const [{ day } = never()] = await listProofDays(db);
  const { txid } = await batches.newest(bumped);
  const height = await bitcoin.call<number>("getblockcount");
  const mark = { day, txid, height: height - 5 };
  expect((await listed()).every((each) => each.mark)).toBe(true);
  expect((await listed())[3]).toMatchObject({ day: addDays(day, -3), mark });
  await publishDays(1);
  expect((await listed()).slice(0, 2)).toMatchObject([{ mark: null }, { day, mark }]);
  expect(await verified()).toMatchObject([
    { holds: true, detail: `1 in 2 batches, the newest of ${day}` },
    { holds: true },
  ]);
});

test("a transaction without its mark, with several, or with that of another day is named; a node that lacks blocks is no answer", async () => {
  const { node } = bitcoin;
  const { raw } = await batches.newest(bumped);
  const days = await listProofDays(db);
  const oldest = days.at(-1) ?? never();
  const real = node.getRawTransaction.bind(node);
  const saysOf = async (change: (tx: Transaction) => void) => {
    const spy = vi.spyOn(node, "getRawTransaction").mockImplementation(async (...asked) => {
      const found = await real(...asked);
      if (found?.hex !== Buffer.from(raw ?? []).toString("hex")) return found;
      const tx = Transaction.fromRaw(raw ?? new Uint8Array(), lenient);
      change(tx);
      return { ...found, hex: tx.hex };
    });
    const [{ detail } = never()] = await verified();
    spy.mockRestore();
    return detail.replace(/^1 wrong, first: the batch of 2026-03-11, \w+, /, "");
  };
  const mark = { amount: 0n, script: scriptOfMark(Buffer.from(oldest.digest, "hex")) };
  expect(await saysOf((tx) => tx.updateOutput(0, { amount: 1n }, true))).toBe("carries no mark");
  expect(await saysOf((tx) => tx.addOutput(mark, true))).toBe("carries several marks");
  expect(await saysOf((tx) => tx.updateOutput(0, mark, true))).toBe(
    `carries the digest of ${oldest.day}, and the books say ${days[1]?.digest}`,
  );
  const info = await node.getBlockchainInfo();
  const refusedWith = async (more: object) => {
    const spy = vi.spyOn(node, "getBlockchainInfo").mockResolvedValue({ ...info, ...more });
    const said = await refusal(verified());
    spy.mockRestore();
    return said;
  };
  expect(await refusedWith({ blocks: 1 })).toMatch(
    /^the node has 1 blocks and is behind the books/,
  );
  expect(await refusedWith({ pruneheight: 1_000_000 })).toMatch(
    /has pruned the blocks below 1000000/,
  );
});

test("the script finds the hash in the transaction, and what is wrong with files, hashes that were kept and transactions", async () => {
  const days = await listed();
  const [day, kept, later] = [days[1]?.day ?? "", days.at(-1) ?? never(), days[0] ?? never()];
  const { txid, raw } = await batches.newest(bumped);
  const save = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const months = [...new Set([kept.day, later.day].map((each) => each.slice(0, 7)))];
  const files = await Promise.all(
    months.map(async (month) => {
      const ofMonth = await withMarks(db, await listProofDaysOf(db, month));
      return save(`${month}.json`, JSON.stringify(ofMonth));
    }),
  );
  const hex = Buffer.from(raw ?? []).toString("hex");
  const transaction = save("transaction", `${hex}\r\n`);
  const script = path.resolve(import.meta.dirname, "../../../public/check-mark.py");
  const check = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync("python3", [script, ...args], {
      encoding: "utf8",
    });
    return { status, said: (stdout + stderr).trim() };
  };
  const ok = `ok: ${txid} carries the hash of ${day}, and with it those of all days before.`;
  const right = check(transaction, `${kept.day}:${kept.digest.toUpperCase()}`, ...files, ...files);
  expect(right).toEqual({ status: 0, said: ok });
  // Who was paid by the transaction needs nothing else.
  expect(check(transaction, ...files)).toEqual({ status: 0, said: ok });

  const isWrong = (what: string, ...args: string[]) =>
    expect(check(...args)).toEqual({ status: 1, said: `WRONG: ${what}` });
  const [oldest = never(), ...rest] = files;
  const changed = (change: (rows: { day: string }[]) => unknown[]) => {
    const rows = change(JSON.parse(readFileSync(oldest, "utf8")));
    return [save("changed.json", JSON.stringify(rows)), ...rest];
  };
  const next = addDays(kept.day, 1);
  const notKept = `in the files ${kept.day} does not have the hash that you kept`;
  isWrong(notKept, transaction, `${kept.day}:${later.digest}`, ...files);
  const before = `${txid} carries the hash of ${day}, which is before ${later.day}`;
  isWrong(before, transaction, `${later.day}:${later.digest}`, ...files);
  isWrong("the files do not have 2020-01-01", transaction, `2020-01-01:${kept.digest}`, ...files);
  const rewritten = changed((rows) =>
    rows.map((row) => (row.day === kept.day ? { ...row, sealNumber: "9" } : row)),
  );
  isWrong(`in the files ${next} does not follow ${kept.day}`, transaction, ...rewritten);
  const leftOut = changed((rows) => rows.filter((row) => row.day !== next));
  const gap = `the files have no day between ${kept.day} and ${addDays(next, 1)}`;
  isWrong(gap, transaction, ...leftOut);

  const [digest, another] = [days[1]?.digest ?? "", "ab".repeat(32)];
  const output = `0000000000000000266a2441534159`;
  const other = save("other", hex.replace(digest, another));
  expect(check(other, ...files).said).toMatch(/ carries 1 hashes, 0 of a day from \S+ to \S+$/);
  // Three outputs become four: a second mark would be of other books.
  const twice = hex.replace(`03${output}${digest}`, `04${output}${digest}${output}${another}`);
  expect(twice).not.toBe(hex);
  const { said } = check(save("twice", twice), ...files);
  expect(said).toMatch(/ carries 2 hashes, 1 of a day from \S+ to \S+$/);
  isWrong("the transaction is cut off", save("cut", hex.slice(0, -8)), ...files);
  const more = "there is more than the transaction in its file";
  isWrong(more, save("more", `${hex}00`), ...files);
  const contradiction = "the files contradict each other";
  const others = changed((rows) => rows.map((row) => ({ ...row, sealNumber: "9" })));
  isWrong(contradiction, transaction, ...files, ...others.slice(0, 1));
  for (const args of [[], [transaction], files, [save("half", hex.slice(0, 200)), ...files]]) {
    expect(check(...args)).toMatchObject({ status: 1, said: expect.not.stringMatching(/^ok/) });
  }
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

const contradiction = async (what: string) => {
  const { txid } = await batches.newest(bumped);
  const fault = `^1 wrong, first: the batch of 2026-03-11, ${txid}, carries .*${what}`;
  return [{ holds: false, detail: expect.stringMatching(fault) }, { holds: true }];
};

test("an act rewritten, with a chain of links and digests that fit, contradicts what was mined", async () => {
  await withoutRules(
    `update audit_log set detail = detail || '{"amount": "1 BTC"}' where position = (select min(position) from audit_log)`,
    linksAnew,
    daysAnew,
  );
  const checks = [...(await verifyAuditLog(db)), ...(await verifyClaims(db, proofClaims))];
  expect(checks.filter(({ holds }) => !holds)).toEqual([]);
  expect(await verified()).toMatchObject(await contradiction("which these books give for no day"));
  await withoutRules(
    `update audit_log set detail = detail - 'amount' where position = (select min(position) from audit_log)`,
    linksAnew,
    daysAnew,
  );
  expect(await verified()).toMatchObject([{ holds: true }, { holds: true }]);
});

test("whoever takes the marks out of the books as well does not hide what was mined", async () => {
  await withoutRules("create table marks as select id, mark from withdrawal_batch_versions");
  await withoutRules("update withdrawal_batch_versions set mark = null");
  expect(await verified()).toMatchObject(await contradiction("that it carries none"));
  await withoutRules(
    "update withdrawal_batch_versions v set mark = m.mark from marks m where m.id = v.id",
    "drop table marks",
  );
  expect(await verified()).toMatchObject([{ holds: true }, { holds: true }]);
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
  expect(await verified()).toMatchObject(await contradiction("which these books give for no day"));
});

test("a mark whose block has left the chain is listed no more, and the verification says so", async () => {
  await bitcoin.reorganise(7);
  const height = await bitcoin.call<number>("getblockcount");
  const branch = { forkHeight: height - 8, oldHeight: height - 1, oldHash: "00", payments: 0 };
  const left = { id: randomUUID(), chain: "bitcoin" as const, ...branch };
  await db.insert(chainReorgs).values({ ...left, foundAt: new Date(now.getTime() + 60_000) });
  expect((await listed()).filter(({ mark }) => mark)).toEqual([]);
  expect(await verified()).toMatchObject([
    { holds: true },
    { holds: false, detail: expect.stringContaining("its mark was not compared") },
  ]);
});
