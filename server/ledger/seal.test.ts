import { createHash, randomUUID } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashLeaf, merklePath, merkleRoot, rootOf } from "#core/proof/seal.ts";
import { aDeposit, aTransfer } from "#tests/factories/transfer.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { postTransfer } from "./post-transfer.ts";
import { postTransfers } from "./post-transfers.ts";
import { sealTransfers } from "./seal-transfers.ts";
import { verifyLedger } from "./verify/verify-ledger.ts";

const { db, owner } = await testDatabase({ documents: false });
const now = new Date("2026-02-01T00:00:00Z");

async function wrongClaims(): Promise<string[]> {
  return (await verifyLedger(db)).filter(({ holds }) => !holds).map(({ claim }) => claim);
}

async function lastSeal() {
  const { rows } = await owner.query("select * from ledger_seals order by number desc limit 1");
  return rows[0] ?? { number: "0", complete_through: "0" };
}

async function sealOf(transferId: string): Promise<string | undefined> {
  const { rows } = await owner.query(
    `select s.number as seal_number from ledger_seals s join ledger_transfers t on s.covers @> t.number where t.id = $1`,
    [transferId],
  );
  return rows[0]?.seal_number;
}

// The eight leaves and their roots with which Certificate Transparency's implementations are tested.
const leaves = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];
test.each(roots.map((root, place) => [place + 1, root]))(
  "the root over %i leaves is the one that Certificate Transparency computes, here and in the database",
  async (count, root) => {
    const hashed = leaves
      .slice(0, count)
      .map((leaf) => createHash("sha256").update(Buffer.of(0)).update(leaf, "hex").digest());
    expect(bytesToHex(merkleRoot(hashed))).toBe(root);
    // Each leaf and what stands beside its way lead there, and no other leaf does.
    for (const [place, leaf] of hashed.entries()) {
      const path = merklePath(hashed, place);
      expect(bytesToHex(rootOf(leaf, path))).toBe(root);
      expect(bytesToHex(rootOf(hashLeaf(["another"]), path))).not.toBe(root);
    }
    const { rows } = await owner.query("select ledger_merkle_root($1) as root", [hashed]);
    expect(rows[0].root.toString("hex")).toBe(root);
  },
);

test("the database and the verification hash any transfer alike", async () => {
  const text = fc
    .string({ unit: "binary", minLength: 1, maxLength: 60 })
    .map((some) => some.replaceAll("\0", "0"));
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          source: text,
          memo: text,
          key: text,
          units: fc.bigInt({ min: 1n, max: 10n ** 30n }),
          occurredAt: fc.date({
            min: new Date("2009-01-03T00:00:00Z"),
            max: new Date("9999-12-31T23:59:59Z"),
            noInvalidDate: true,
          }),
        }),
        { minLength: 1, maxLength: 20 },
      ),
      async (wanted) => {
        await postTransfers(
          db,
          wanted.map(({ units, key, ...rest }, place) =>
            aDeposit(randomUUID(), units, { ...rest, key: `${randomUUID()} ${place} ${key}` }),
          ),
        );
        await sealTransfers(db, now);
        expect(await wrongClaims()).toEqual([]);
      },
    ),
    { numRuns: 15 },
  );
});

test("seals a transfer that commits late in a later block, and never counts past it before", async () => {
  const late = await db.$client.connect();
  await late.query("begin");
  const { rows } = await late.query(
    `select post_transfer(gen_random_uuid(), 'late', 'network-fee', '00000000-0000-0000-0000-000000000000',
       '2026-01-31', now(), 'x', '', '{"(custody,BTC,5)","(network_fee_expense,BTC,-5)"}') as transfer_id`,
  );
  const lateId: string = rows[0].transfer_id;
  const { rows: numbers } = await late.query(
    "select number from ledger_transfers where key = 'late'",
  );
  for (let round = 0; round < 4; round += 1) {
    const { transferId } = await postTransfer(db, aDeposit(randomUUID(), 1n));
    await sealTransfers(db, now);
    expect(await sealOf(transferId)).toBe((await lastSeal()).number);
    expect(BigInt((await lastSeal()).complete_through)).toBeLessThan(BigInt(numbers[0].number));
  }
  await late.query("commit");
  late.release();
  await sealTransfers(db, now);
  expect(await sealOf(lateId)).toBe((await lastSeal()).number);
  expect(await wrongClaims()).toEqual([]);
});

test("never counts past a transfer under way that nobody has overtaken yet", async () => {
  await postTransfer(db, aDeposit(randomUUID(), 1n));
  const newest = await db.$client.connect();
  await newest.query("begin");
  await newest.query(
    `select post_transfer(gen_random_uuid(), 'newest', 'network-fee', '00000000-0000-0000-0000-000000000000',
       '2026-01-31', now(), 'x', '', '{"(custody,BTC,5)","(network_fee_expense,BTC,-5)"}')`,
  );
  const { rows } = await newest.query("select number from ledger_transfers where key = 'newest'");
  for (let round = 0; round < 4; round += 1) {
    await sealTransfers(db, now);
    expect(BigInt((await lastSeal()).complete_through)).toBeLessThan(BigInt(rows[0].number));
    await postTransfer(db, aDeposit(randomUUID(), 1n));
  }
  await newest.query("commit");
  newest.release();
  await sealTransfers(db, now);
  expect(await wrongClaims()).toEqual([]);
});

test("is made in a transaction of its own", async () => {
  const act = db.transaction(async (tx) => {
    await postTransfer(tx, aDeposit(randomUUID(), 1n));
    await tx.execute("select claim_block()");
  });
  await expect(act).rejects.toThrow();
});

/** Posts and seals once more. Other databases of the cluster may hold the watch up for a moment. */
async function completeThroughAfterOneMore(): Promise<bigint> {
  await postTransfer(db, aDeposit(randomUUID(), 1n));
  await sealTransfers(db, now);
  return BigInt((await lastSeal()).complete_through);
}

test("moves the place where it starts looking forward, so that the search stays short", async () => {
  const { rows } = await owner.query("select max(number) as newest from ledger_transfers");
  await expect.poll(completeThroughAfterOneMore).toBeGreaterThanOrEqual(BigInt(rows[0].newest));
});

test("finds its way after a dump was restored into a cluster whose transaction ids start anew", async () => {
  await owner.query("alter table ledger_seals disable trigger the_ledger_is_append_only");
  await owner.query("update ledger_seals set watched_before = 2 ^ 60 where number = $1", [
    (await lastSeal()).number,
  ]);
  await owner.query("alter table ledger_seals enable always trigger the_ledger_is_append_only");
  const { rows } = await owner.query("select max(number) as newest from ledger_transfers");
  await expect.poll(completeThroughAfterOneMore).toBeGreaterThan(BigInt(rows[0].newest));
  expect(await wrongClaims()).toEqual([]);
});

test("seals each transfer once, in blocks, when four sealers and many posters work at once", async () => {
  const posting = Promise.all(
    Array.from({ length: 200 }, () => postTransfer(db, aDeposit(randomUUID(), 1n))),
  );
  const seal = async () => {
    for (let round = 0; round < 20; round += 1) {
      await sealTransfers(db, now, { limit: 7 });
    }
  };
  await Promise.all([seal(), seal(), seal(), seal(), posting]);
  await sealTransfers(db, now);
  const { rows } = await owner.query(
    `select count(*) as transfers, (select count(*) from ledger_seals s join ledger_transfers t on s.covers @> t.number) as sealed,
            (select sum(transfer_count) from ledger_seals) as counted from ledger_transfers`,
  );
  expect(rows[0].sealed).toBe(rows[0].transfers);
  expect(rows[0].counted).toBe(rows[0].transfers);
  expect(await wrongClaims()).toEqual([]);
});

test("goes on with a block that a sealer left behind, claimed or hashed", async () => {
  for (const steps of [["claim_block()"], ["claim_block()", "hash_block()"]]) {
    const { transferId } = await postTransfer(db, aDeposit(randomUUID(), 1n));
    for (const step of steps) await db.$client.query(`select ${step}`);
    expect(await sealOf(transferId)).toBeUndefined();
    expect(await wrongClaims()).toEqual([]);
    await sealTransfers(db, now);
    expect(await sealOf(transferId)).toBe((await lastSeal()).number);
  }
  expect(await wrongClaims()).toEqual([]);
});

test("hashes blocks side by side, and seals them in their order", async () => {
  await sealTransfers(db, now);
  const { number: before } = await lastSeal();
  for (let block = 0; block < 2; block += 1) {
    await postTransfer(db, aDeposit(randomUUID(), 1n));
    await db.$client.query("select claim_block()");
  }
  const slow = await db.$client.connect();
  await slow.query("begin");
  await slow.query("select hash_block()");
  // The second block is hashed meanwhile, and waits for the first one's seal.
  await db.$client.query("select hash_block()");
  expect((await db.$client.query("select seal_blocks(now())")).rows).toEqual([]);
  await slow.query("commit");
  slow.release();
  const { rows } = await db.$client.query("select seal_blocks(now()) as seal");
  expect(rows.map(({ seal }) => Number(seal))).toEqual([Number(before) + 1, Number(before) + 2]);
  expect(await wrongClaims()).toEqual([]);
});

test("makes no seal when there is nothing to seal", async () => {
  await sealTransfers(db, now);
  expect(await sealTransfers(db, now)).toEqual([]);
});

test("does not make postings wait", async () => {
  const sealer = await db.$client.connect();
  await sealer.query("begin");
  await postTransfer(db, aDeposit(randomUUID(), 1n));
  for (const step of ["claim_block()", "hash_block()", "seal_blocks(now())"])
    await sealer.query(`select ${step}`);
  const { posted } = await postTransfer(
    db,
    aTransfer({
      kind: "network-fee",
      ownerId: "house",
      moves: { custody: 1n, network_fee_expense: -1n },
    }),
  );
  expect(posted).toBe(true);
  await sealer.query("rollback");
  sealer.release();
});

test("a seal is never older than what it seals or than the seal before it, and never from a time to come", async () => {
  const occurredAt = new Date(Date.now() - 60_000);
  for (const said of [new Date("1999-01-01T00:00:00Z"), new Date("2999-01-01T00:00:00Z")]) {
    await postTransfer(db, aDeposit(randomUUID(), 1n, { occurredAt }));
    await sealTransfers(db, said);
    const { sealed_at, before } = await newestTimes();
    expect(sealed_at.getTime()).toBeGreaterThanOrEqual(
      Math.max(occurredAt.getTime(), before.getTime()),
    );
    expect(sealed_at.getTime()).toBeLessThanOrEqual(Date.now());
  }
});

async function newestTimes(): Promise<{ sealed_at: Date; before: Date }> {
  const { rows } = await owner.query(
    "select sealed_at, lead(sealed_at) over (order by number desc) as before from ledger_seals order by number desc limit 1",
  );
  return rows[0];
}
