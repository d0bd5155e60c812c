import { afterAll, beforeAll, expect, test } from "vitest";
import { deriveAddress } from "#core/wallet/derive-address.ts";
import { eq } from "#server/platform/sql.ts";
import { fundEquity, proposeOutlay } from "#tests/factories/adjustment.ts";
import { bitcoinBatches } from "#tests/factories/bitcoin-batches.ts";
import { coinOfNobody } from "#tests/factories/chain.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import {
  aRequest,
  createBitcoinPrice,
  createOfflineWallet,
  createWithdrawer,
  type OfflineWallet,
  recordTestWallet,
} from "#tests/factories/withdrawal.ts";
import { type RunningBitcoinNode, startBitcoinNode } from "#tests/setup/bitcoin-node.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { testFiles } from "#tests/setup/test-files.ts";
import { approveAdjustment } from "../../adjustments/approve-adjustment.ts";
import { chainTransactions } from "../../chain/schema.ts";
import { getBalances } from "../../ledger/get-balances.ts";
import { expireUnconfirmed } from "../expire-unconfirmed.ts";
import { requestWithdrawal } from "../request-withdrawal.ts";
import { withdrawalAbandonments } from "../schema.ts";
import { decideAbandonment, proposeAbandonment } from "./abandon-batch.ts";
import { downloadUnsigned } from "./download-unsigned.ts";
import { findBatch } from "./find-batch.ts";

const { db, owner } = await testDatabase();
const files = testFiles();
const asked = new Date("2026-03-10T12:00:00Z");
const now = new Date("2026-03-11T09:00:00Z");
const [grace, alan] = [await createTestOperator(db), await createTestOperator(db)];
let bitcoin: RunningBitcoinNode;
let wallet: OfflineWallet;
let batches: ReturnType<typeof bitcoinBatches>;

beforeAll(async () => {
  bitcoin = await startBitcoinNode();
  wallet = await createOfflineWallet(bitcoin);
  await recordTestWallet(db, wallet, asked);
  await createBitcoinPrice(db, asked);
  batches = bitcoinBatches({ db, bitcoin, wallet, treasurer: grace, approver: alan, asked, now });
});
afterAll(() => bitcoin.stop());

const refusal = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error: Error) => error.message,
  );

async function settleByMining() {
  await bitcoin.mine(3);
  await batches.follow();
}

test("a coin of a batch that is spent elsewhere is dropped by the next version, which pays the same customers", async () => {
  await wallet.fund(300_000n, 200_000n, 190_000n, 180_000n);
  const ada = await batches.approved(400_000n);
  const batchId = await batches.form();
  await batches.sign(batchId);
  const { spends } = await batches.newest(batchId);
  const { anchorTxid, anchorVout } = (await findBatch(db, batchId)) ?? {};
  const other = spends.find((each) => each !== `${anchorTxid}:${anchorVout}`) ?? "";
  expect(spends.length).toBeGreaterThan(1);
  await batches.spendElsewhere(other);
  await bitcoin.mine();
  await batches.order(batchId);
  await batches.follow();
  await batches.follow();
  expect((await batches.newest(batchId)).fault).toMatch(/missingorspent/);

  await batches.lookForCoins();
  // The fee need not rise: no node knows the version before.
  await batches.rebuild(batchId, { feePerKvb: 5000 });
  const next = await batches.newest(batchId);
  expect(next.spends).not.toContain(other);
  expect(next.spends).toContain(`${anchorTxid}:${anchorVout}`);
  await batches.send(batchId);
  await settleByMining();
  expect(await batches.stateOf(ada)).toBe("settled");
});

test("a batch whose anchor has left the chain for 100 blocks is ended by two people, and its customers have their coins back", async () => {
  const { blocks: before } = await bitcoin.node.getBlockchainInfo();
  const paid = await bitcoin.pay(deriveAddress(wallet.key, 4), 50_000_000n);
  await bitcoin.mine(3);
  const ben = await batches.approved(200_000n);
  const batchId = await batches.form();
  expect((await findBatch(db, batchId))?.anchorTxid).toBe(paid);
  await batches.send(batchId);
  const { txid: sent } = await batches.newest(batchId);
  const early = { kind: "wallet-transfer" as const, units: 200_000n, txid: sent ?? "" };
  const booked = proposeOutlay({ db, files }, grace, early);
  expect(await refusal(booked)).toBe("adjustments/batch-books-it");
  const propose = (by = grace) =>
    refusal(proposeAbandonment(db, by, { batchId, reason: "Its deposit was replaced" }, now));
  expect(await propose()).toBe("withdrawals/not-lost");

  // The deposit's block leaves the chain, and its sender pays himself instead.
  const { blocks: tip } = await bitcoin.node.getBlockchainInfo();
  await bitcoin.reorganise(tip - before);
  await bitcoin.doubleSpend(paid);
  await bitcoin.mine();
  await batches.follow();
  expect(await refusal(batches.rebuild(batchId))).toBe("withdrawals/anchor-gone");
  expect((await findBatch(db, batchId))?.anchorGoneHeight).not.toBeNull();
  expect(await propose()).toBe("withdrawals/not-lost");
  await bitcoin.mineEmpty(100);
  await batches.follow();
  expect(await batches.stateOf(ben)).toBe("broadcast");
  expect(await propose()).toBe("done");
  expect(await propose()).toBe("done");
  expect(await propose(alan)).toBe("withdrawals/abandonment-proposed");
  const [proposal] = await db.select().from(withdrawalAbandonments);
  const decide = (by: typeof grace, into: "confirmed" | "declined" = "confirmed") =>
    refusal(decideAbandonment(db, by, { batchId, abandonmentId: proposal?.id ?? "", into }, now));
  expect(await decide(grace)).toBe("withdrawals/own-abandonment");
  // Nor in SQL, by whoever is the owner of the tables.
  await expect(
    owner.query(
      "update withdrawal_abandonments set state = 'confirmed', decided_by = proposed_by, decided_by_act = proposed_by_act, decided_at = now()",
    ),
  ).rejects.toThrow();
  await expect(
    owner.query(
      "update withdrawal_batches set state = 'failed', ended_at = now(), abandonment_id = $1 where id = $2",
      [proposal?.id, batchId],
    ),
  ).rejects.toThrow("abandoned by two people");
  expect(await decide(alan)).toBe("done");
  expect(await decide(alan)).toBe("done");
  expect(await decide(grace, "declined")).toBe("done");
  await batches.follow();
  expect(await batches.stateOf(ben)).toBe("broadcast");
  expect(await propose()).toBe("done");
  const [, second] = await db
    .select()
    .from(withdrawalAbandonments)
    .orderBy(withdrawalAbandonments.id);
  await decideAbandonment(
    db,
    alan,
    { batchId, abandonmentId: second?.id ?? "", into: "confirmed" },
    now,
  );
  expect((await getBalances(db, ben.id)).BTC.held).toBe(200_000n);
  await Promise.all([batches.follow(), batches.follow()]);
  expect(await batches.stateOf(ben)).toBe("returned");
  expect((await getBalances(db, ben.id)).BTC).toEqual({ available: 1_000_000n, held: 0n });
  expect((await findBatch(db, batchId))?.state).toBe("failed");
  expect(await propose()).toBe("withdrawals/batch-has-ended");
  // What was signed may be mined all the same: then it is booked as what left.
  const { txid } = await batches.newest(batchId);
  const staff = { maker: grace, checker: alan };
  await fundEquity({ db, files }, staff, { units: 201_000n });
  const left = { kind: "equity-drawing" as const, units: 200_000n, txid: txid ?? "" };
  await approveAdjustment(db, alan, await proposeOutlay({ db, files }, grace, left), now);
  const again = proposeOutlay({ db, files }, grace, left);
  expect(await refusal(again)).toBe("adjustments/payment-already-counted");
});

test("an anchor whose payment waits again is sent again, and the batch goes on", async () => {
  const { blocks: before } = await bitcoin.node.getBlockchainInfo();
  const paid = await bitcoin.pay(deriveAddress(wallet.key, 5), 60_000_000n);
  const { hex } = (await bitcoin.node.getRawTransaction(paid)) ?? { hex: "" };
  await bitcoin.mine(3);
  const raw = Buffer.from(hex, "hex");
  await db
    .insert(chainTransactions)
    .values({ chain: "bitcoin", txid: paid, raw, spends: [coinOfNobody], firstSeenAt: now });
  const cleo = await batches.approved(200_000n);
  const batchId = await batches.form();
  expect((await findBatch(db, batchId))?.anchorTxid).toBe(paid);
  const { blocks: tip } = await bitcoin.node.getBlockchainInfo();
  await bitcoin.reorganise(tip - before);
  await batches.follow();
  expect((await findBatch(db, batchId))?.anchorGoneHeight).not.toBeNull();
  expect(await bitcoin.node.getMempool()).toContain(paid);
  await bitcoin.mine(3);
  await batches.follow();
  expect((await findBatch(db, batchId))?.anchorGoneHeight).toBeNull();
  await batches.send(batchId);
  await settleByMining();
  expect(await batches.stateOf(cleo)).toBe("settled");
});

test("a batch that nobody took away to sign is ended by two people; one that was taken away is not", async () => {
  await wallet.fund(5_000_000n);
  const dora = await batches.approved(200_000n);
  const batchId = await batches.form();
  const abandon = { batchId, reason: "Formed with the wrong coins" };
  const open = async () =>
    (
      await db
        .select()
        .from(withdrawalAbandonments)
        .where(eq(withdrawalAbandonments.batchId, batchId))
    ).at(-1)?.id ?? "";
  await proposeAbandonment(db, grace, abandon, now);
  const taken = { batchId, number: 1 };
  expect(await refusal(downloadUnsigned(db, alan, taken, now))).toBe("withdrawals/being-ended");
  const declined = { batchId, abandonmentId: await open(), into: "declined" as const };
  await decideAbandonment(db, grace, declined, now);
  expect(await refusal(downloadUnsigned(db, alan, taken, now))).toBe("done");
  expect(await refusal(proposeAbandonment(db, grace, abandon, now))).toBe("withdrawals/not-lost");

  // The way out of that one: a version that pays nobody but the wallet.
  await batches.rebuild(batchId, { leaveOut: [dora.withdrawalId] });
  await batches.send(batchId);
  await settleByMining();
  expect(await batches.stateOf(dora)).toBe("returned");
  expect((await getBalances(db, dora.id)).BTC.available).toBe(1_000_000n);
});

/** While it is there, nothing can be posted for this customer. */
async function breakPostingsOf(customerId: string) {
  await owner.query(`
    create function refuse_one() returns trigger language plpgsql as $$
    begin
      if new.owner_id = '${customerId}' then raise exception 'this account is broken'; end if;
      return new;
    end $$`);
  await owner.query(
    "create trigger refuse_one before insert on ledger_transfers for each row execute function refuse_one()",
  );
  return () => owner.query("drop function refuse_one cascade");
}

test("a withdrawal that cannot be ended with its batch keeps no other one waiting, and ends once it can", async () => {
  await wallet.fund(7_000_000n);
  const [ada, broken, cleo] = [
    await batches.approved(),
    await batches.approved(),
    await batches.approved(),
  ];
  const batchId = await batches.form();
  await batches.send(batchId);
  await bitcoin.mine(3);
  const mend = await breakPostingsOf(broken.id);
  await expect(batches.follow()).rejects.toThrow(broken.withdrawalId);
  const states = () => Promise.all([ada, broken, cleo].map(batches.stateOf));
  expect(await states()).toEqual(["settled", "broadcast", "settled"]);
  expect((await findBatch(db, batchId))?.state).toBe("settled");
  // The next batch is formed and paid meanwhile.
  const dora = await batches.approved();
  const next = await batches.form();
  await batches.send(next);
  await bitcoin.mine(3);
  await expect(batches.follow()).rejects.toThrow(broken.withdrawalId);
  expect(await batches.stateOf(dora)).toBe("settled");
  await mend();
  await batches.follow();
  expect(await states()).toEqual(["settled", "settled", "settled"]);
  expect((await getBalances(db, broken.id)).BTC.held).toBe(0n);
});

test("a withdrawal that cannot expire keeps no other one from it", async () => {
  const [broken, other] = [
    await createWithdrawer(db, { now: asked }),
    await createWithdrawer(db, { now: asked }),
  ];
  const ids: string[] = [];
  for (const customer of [broken, other]) {
    ids.push((await requestWithdrawal(db, aRequest(customer), asked)).withdrawalId);
  }
  const mend = await breakPostingsOf(broken.id);
  const later = new Date(asked.getTime() + 48 * 3_600_000);
  await expect(expireUnconfirmed(db, later)).rejects.toThrow("this account is broken");
  const states = () => Promise.all(ids.map((withdrawalId) => batches.stateOf({ withdrawalId })));
  expect(await states()).toEqual(["requested", "cancelled"]);
  await mend();
  await expireUnconfirmed(db, later);
  expect(await states()).toEqual(["cancelled", "cancelled"]);
});
