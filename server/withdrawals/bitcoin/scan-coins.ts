import { randomUUIDv7 } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { deriveOutput } from "#core/wallet/derive-address.ts";
import { nodeDescriptor } from "#core/wallet/node-descriptor.ts";
import { type Branch, branches, type WalletKey } from "#core/wallet/wallet-key.ts";
import { usualGapLimit } from "#core/wallet/wallet-terms.ts";
import { and, eq, isNull, max, sql } from "#server/platform/sql.ts";
import { type BitcoinNode, isScanning } from "../../chain/bitcoin/bitcoin-node.ts";
import { NodeError } from "../../chain/json-rpc.ts";
import { findWallet, type Wallet } from "../../chain/wallets/find-wallet.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue, nodeQueues } from "../../platform/jobs/jobs.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { refusals } from "../refusals.ts";
import { coinScans, withdrawalBatches } from "../schema.ts";
import type { ScannedCoin } from "./coin.ts";

/** A mined coin can be spent after so many blocks. */
const coinbaseMaturity = 100;

const s = coinScans;
const queue = nodeQueues.scanBitcoin;

/** A node that scans for somebody else is asked again so often, for so long after our scan was asked for. */
const againAfterMs = 5 * 60_000;
const waitForOtherMs = 2 * 3_600_000;
/** A scan that has not ended by then never will: its job was lost, or fails for another reason than the node. */
const longestMs = 4 * 3_600_000;

const neverEnded = "It has not ended in four hours.";

type Scan = typeof coinScans.$inferSelect;

/** Whether a scan is under way, and why it found nothing; null: it has no fault. */
export function progressOf(
  { askedAt, finishedAt, fault }: Pick<Scan, "askedAt" | "finishedAt" | "fault">,
  now: Date,
): { runs: boolean; fault: string | null } {
  if (finishedAt) return { runs: false, fault };
  const runs = now.getTime() - askedAt.getTime() < longestMs;
  return { runs, fault: runs ? null : neverEnded };
}

/**
 * Has the node look for what the wallet can spend: all of its addresses, in the unspent outputs of the whole chain. That is
 * the chain's own answer, whatever our tables missed. Takes minutes on the main network, so that a job does it. While one
 * is under way, nothing happens.
 *
 * @throws Refusal `withdrawals/no-wallet`, and as `actAsOperator` does
 */
export async function askForCoins(
  db: Db,
  operator: ActingOperator,
  key: WalletKey | null,
  now: Date,
): Promise<void> {
  const wallet = key && (await findWallet(db, key));
  if (!wallet) throw new Refusal("withdrawals/no-wallet");
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const walletId = wallet.id;
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended('withdrawals.scan:' || ${walletId}, 0))`,
      );
      const [open] = await tx
        .select()
        .from(s)
        .where(and(eq(s.walletId, walletId), isNull(s.finishedAt)));
      if (open && progressOf(open, now).runs) return;
      if (open) await finish(tx, open.id, { fault: neverEnded, finishedAt: now });
      const act = {
        act: "withdrawals/look-for-coins" as const,
        subject: `wallet:${walletId}`,
        detail: {},
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, askedByAct) => {
        const id = randomUUIDv7();
        await inner
          .insert(s)
          .values({ id, walletId, askedBy: operator.id, askedByAct, askedAt: now });
        await enqueue(inner, "withdrawals/scan-coins", { scanId: id }, { queue });
      });
    }),
  );
}

interface Place {
  node: BitcoinNode | null;
  key: WalletKey | null;
  stopping?: AbortSignal;
}

/**
 * Looks for the coins that were asked for, and keeps them, or why they could not be found. While the node scans for somebody else,
 * perhaps for a worker that is gone, it looks later.
 *
 * @throws NodeError when ours is `stopping`: the job is tried again
 */
export async function scanCoins(
  db: Db,
  { node, key, scanId, stopping }: Place & { scanId: string },
  now: () => Date,
): Promise<void> {
  const [scan] = await db
    .select()
    .from(s)
    .where(and(eq(s.id, scanId), isNull(s.finishedAt)));
  if (!scan) return;
  const wallet = key && (await findWallet(db, key));
  if (!node || !key || scan.walletId !== wallet?.id) {
    const fault = "Its wallet or its node is no longer configured.";
    return finish(db, scanId, { fault, finishedAt: now() });
  }
  try {
    const ranges = await rangesOf(db, wallet);
    const found = await node.scanTxOutSet(
      branches.map((branch) => ({ desc: nodeDescriptor(key, branch), range: ranges[branch] })),
    );
    const coins = toCoins(key, found);
    await finish(db, scanId, { height: found.height, coins, finishedAt: now() });
  } catch (error) {
    if (!(error instanceof NodeError) || stopping?.aborted) throw error;
    const waitedMs = now().getTime() - scan.askedAt.getTime();
    if (isScanning(error) && waitedMs < waitForOtherMs) {
      const runAt = new Date(now().getTime() + againAfterMs);
      const once = { key: `scan-coins:${scanId}`, runAt, queue };
      await enqueue(db, "withdrawals/scan-coins", { scanId }, once);
    } else await finish(db, scanId, { fault: error.message, finishedAt: now() });
  }
}

/** How many addresses of each branch the node looks for. */
async function rangesOf(db: Db, wallet: Wallet): Promise<Record<Branch, number>> {
  const b = withdrawalBatches;
  const [used] = await db
    .select({ highest: max(b.changeIndex) })
    .from(b)
    .where(eq(b.walletId, wallet.id));
  const plain = wallet.nextIndex + usualGapLimit;
  return { 0: plain, 1: (used?.highest ?? -1) + 1 + usualGapLimit, 2: plain };
}

/** What ended meanwhile has ended. */
async function finish(
  db: Db | Tx,
  scanId: string,
  ended: { finishedAt: Date } & ({ fault: string } | { height: number; coins: ScannedCoin[] }),
): Promise<void> {
  await db
    .update(s)
    .set(ended)
    .where(and(eq(s.id, scanId), isNull(s.finishedAt)));
}

/**
 * Of each output that is final the place that its descriptor names, as far as our own derivation agrees. One whose sender pays somebody
 * else in another branch would take the batch that spends it along: nothing could ever end that one.
 */
function toCoins(
  key: WalletKey,
  found: Awaited<ReturnType<BitcoinNode["scanTxOutSet"]>>,
): ScannedCoin[] {
  return found.unspents.flatMap((each) => {
    const [, branchText = "", indexText = ""] = /\/([012])\/(\d+)\]/.exec(each.desc) ?? [];
    const branch = branches.find((known) => `${known}` === branchText) ?? 0;
    const index = Number(indexText);
    const isOurs = indexText !== "" && toHex(key, index, branch) === each.scriptPubKey;
    const isRipe =
      found.height - each.height + 1 >=
      (each.coinbase ? coinbaseMaturity : withdrawalTerms.confirmations);
    if (!isOurs || !isRipe) return [];
    const { txid, vout, amount, height, blockhash: blockHash } = each;
    return [{ txid, vout, sats: `${amount}`, branch, index, height, blockHash }];
  });
}

function toHex(key: WalletKey, index: number, branch: Branch): string {
  return bytesToHex(deriveOutput(key, index, branch).script);
}
