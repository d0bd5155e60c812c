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
import { findWallet } from "../../chain/wallets/find-wallet.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { refusals } from "../refusals.ts";
import { coinScans, withdrawalBatches } from "../schema.ts";
import type { ScannedCoin } from "./coin.ts";

/** A mined coin can be spent after so many blocks. */
const coinbaseMaturity = 100;

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
      const s = coinScans;
      const open = await tx
        .select({ id: s.id })
        .from(s)
        .where(and(eq(s.walletId, walletId), isNull(s.finishedAt)));
      if (open.length > 0) return;
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
        await enqueue(
          inner,
          "withdrawals/scan-coins",
          { scanId: id },
          { maxAttempts: scanAttempts },
        );
      });
    }),
  );
}

/** So many come in some three and a half hours: waits grow from seconds to two hours. */
const scanAttempts = 10;
/** Another scan of the node is waited for so long after this one was asked for. */
const waitForOtherMs = 2 * 3_600_000;

/**
 * Looks for the coins that were asked for, and keeps them, or why they could not be found.
 *
 * @throws NodeError while the node scans for somebody else, perhaps for a worker that is gone, and when ours is `stopping`: the job is
 *   tried again
 */
export async function scanCoins(
  db: Db,
  {
    node,
    key,
    scanId,
    stopping,
  }: { node: BitcoinNode; key: WalletKey; scanId: string; stopping?: AbortSignal },
  now: () => Date,
): Promise<void> {
  const s = coinScans;
  const isOpen = and(eq(s.id, scanId), isNull(s.finishedAt));
  const [scan] = await db.select().from(s).where(isOpen);
  const wallet = await findWallet(db, key);
  if (!scan || scan.walletId !== wallet?.id) return;
  const b = withdrawalBatches;
  const [used] = await db
    .select({ highest: max(b.changeIndex) })
    .from(b)
    .where(eq(b.walletId, wallet.id));
  const nextChange = (used?.highest ?? -1) + 1;
  try {
    const found = await node.scanTxOutSet(
      branches.map((branch) => {
        const next = branch === 1 ? nextChange : wallet.nextIndex;
        return { desc: nodeDescriptor(key, branch), range: next + usualGapLimit };
      }),
    );
    const coins = toCoins(key, found);
    await db.update(s).set({ finishedAt: now(), height: found.height, coins }).where(isOpen);
  } catch (error) {
    if (!(error instanceof NodeError) || stopping?.aborted) throw error;
    if (isScanning(error) && now().getTime() - scan.askedAt.getTime() < waitForOtherMs) throw error;
    await db.update(s).set({ finishedAt: now(), fault: error.message }).where(isOpen);
  }
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
