import { randomUUID } from "node:crypto";
import type { BitcoinNode } from "#server/chain/bitcoin/bitcoin-node.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import type { ConfirmationStep } from "#server/platform/config.ts";
import type { Db } from "#server/platform/database.ts";
import { followBatches } from "#server/withdrawals/batches/follow-batches.ts";
import { formBatch } from "#server/withdrawals/batches/form-batch.ts";
import { listVersions } from "#server/withdrawals/batches/list-versions.ts";
import { orderBroadcast } from "#server/withdrawals/batches/order-broadcast.ts";
import { rebuildBatch } from "#server/withdrawals/batches/rebuild-batch.ts";
import { sendVersion } from "#server/withdrawals/batches/send-version.ts";
import { uploadSigned } from "#server/withdrawals/batches/upload-signed.ts";
import {
  planBitcoinBatch,
  planBitcoinVersion,
  planConsolidation,
} from "#server/withdrawals/bitcoin/plan-batch.ts";
import { askForCoins, scanCoins } from "#server/withdrawals/bitcoin/scan-coins.ts";
import { findWithdrawal } from "#server/withdrawals/find-withdrawal.ts";
import { coinScans } from "#server/withdrawals/schema.ts";
import type { RunningBitcoinNode } from "../setup/bitcoin-node.ts";
import {
  createApprovedWithdrawal,
  createWithdrawer,
  type OfflineWallet,
  testSteps,
  testTwoPeople,
} from "./withdrawal.ts";

interface Bench {
  db: Db;
  bitcoin: RunningBitcoinNode;
  wallet: OfflineWallet;
  treasurer: Operator;
  approver: Operator;
  asked: Date;
  now: Date;
  steps?: ConfirmationStep[];
}

/** Batches of bitcoin as the console makes them, on a real node. */
export function bitcoinBatches(bench: Bench) {
  const { db, bitcoin, wallet, treasurer, approver, asked, now, steps = testSteps } = bench;
  const { node } = bitcoin;
  const network = "regtest" as const;
  const nodes = { bitcoin: node, ethereum: null };
  const place = { key: wallet.key, node, steps };
  const plans = { withdrawals: planBitcoinBatch, consolidation: planConsolidation };

  const newest = async (batchId: string) => {
    const version = (await listVersions(db, batchId)).at(-1);
    if (!version) throw new Error("a batch has a version");
    return version;
  };
  const lookForCoins = async () => {
    await askForCoins(db, treasurer, wallet.key, now);
    const scans = await db.select().from(coinScans);
    const scanId = scans.find(({ finishedAt }) => finishedAt === null)?.id ?? "";
    await scanCoins(db, { node, key: wallet.key, scanId }, () => now);
  };
  const sign = async (batchId: string) => {
    const { unsigned, number } = await newest(batchId);
    const signed = await wallet.sign(unsigned);
    await uploadSigned(db, approver, { batchId, number, signed, network, nodes }, now);
  };
  const order = async (batchId: string, by = approver) => {
    const { number, id } = await newest(batchId);
    await orderBroadcast(db, by, { batchId, number }, now);
    return id;
  };
  return {
    newest,
    lookForCoins,
    sign,
    order,
    /** A customer with an approved withdrawal to an address of their own. */
    async approved(units = 200_000n, balance = units * 5n) {
      const address = await bitcoin.call<string>("getnewaddress", [], "miner");
      const customer = await createWithdrawer(db, { now: asked, address, units: balance });
      const wanted = { customer, operator: treasurer, now: asked, amount: units };
      return { ...customer, withdrawalId: await createApprovedWithdrawal(db, wanted) };
    },
    async form({
      purpose = "withdrawals" as keyof typeof plans,
      feePerKvb = 5000,
      outpoints = [] as string[],
      by = treasurer,
    } = {}) {
      await lookForCoins();
      const plan = await plans[purpose](db, { feePerKvb, outpoints, ...place }, now);
      const batch = { submissionKey: randomUUID(), twoPeople: testTwoPeople, plan };
      return (await formBatch(db, by, batch, now)).batchId;
    },
    async rebuild(batchId: string, { feePerKvb = 20_000, leaveOut = [] as string[] } = {}) {
      const plan = await planBitcoinVersion(db, { batchId, feePerKvb, ...place }, now);
      const { number: after } = await newest(batchId);
      await rebuildBatch(db, treasurer, { batchId, after, leaveOut, reason: "Again", plan }, now);
    },
    async send(batchId: string) {
      await sign(batchId);
      await sendVersion(db, { nodes, versionId: await order(batchId) }, now);
    },
    follow: (by: BitcoinNode = node) =>
      followBatches(
        db,
        { nodes: { ...nodes, bitcoin: by }, network, finality: "finalized" },
        () => now,
      ),
    stateOf: async ({ withdrawalId }: { withdrawalId: string }) =>
      (await findWithdrawal(db, { withdrawalId }))?.state,
    /** Spends a coin of the wallet by the wallet itself, as its owner would elsewhere. */
    async spendElsewhere(outpoint: string, sats = 10_000) {
      const [txid, vout] = outpoint.split(":");
      const to = await bitcoin.call<string>("getnewaddress", [], "miner");
      const inputs = [{ txid, vout: Number(vout) }];
      const raw = await bitcoin.call<string>("createrawtransaction", [
        inputs,
        [{ [to]: sats / 1e8 }],
      ]);
      const signed = await bitcoin.call<{ hex: string }>(
        "signrawtransactionwithwallet",
        [raw],
        "offline",
      );
      return bitcoin.call<string>("sendrawtransaction", [signed.hex, 0, 1]);
    },
  };
}
