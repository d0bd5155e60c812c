import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { and, eq, inArray, isNotNull, sql } from "#server/platform/sql.ts";
import { findPosition } from "../../chain/find-position.ts";
import { confirmationsNeeded } from "../../chain/payment.ts";
import { chainPayments, depositAddresses } from "../../chain/schema.ts";
import type { ConfirmationStep } from "../../platform/config.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { withdrawalBatchVersions } from "../schema.ts";
import { type Coin, outpointOf, type ScannedCoin, toCoin } from "./coin.ts";

/** Why a coin that the wallet has is not spent yet. */
export type CoinWaits = "young" | "not-credited" | "frozen";

export type SpendableCoin = Coin & { waits: CoinWaits | null };

/**
 * Says of each coin of a scan whether a batch may spend it: when its block is as deep as a deposit of that size needs, the
 * deposit that it brought is in the ledger, and its customer's account is not frozen. Should any other coin leave the chain,
 * every version that spends it would be lost with it. The largest first.
 */
export async function listSpendable(
  db: Db | Tx,
  {
    walletId,
    steps,
    scan,
  }: {
    walletId: string;
    /** Of bitcoin, from the configuration. */
    steps: ConfirmationStep[];
    scan: { coins: ScannedCoin[]; height: number };
  },
): Promise<SpendableCoin[]> {
  const txids = [...new Set(scan.coins.map(({ txid }) => txid))];
  const indexes = [...new Set(scan.coins.map(({ index }) => index))];
  const [deposits, own, issued, position] = await Promise.all([
    findDeposits(db, txids),
    findOwn(db, txids),
    findIssued(db, walletId, indexes),
    findPosition(db, "bitcoin"),
  ]);
  // Older than what is read for deposits: no payment will be credited for it.
  const isUnread = ({ height }: ScannedCoin) =>
    position === null || height < position.beganAtHeight;
  const depositOf = (coin: ScannedCoin) => {
    const customer = issued.get(`${coin.branch}/${coin.index}`);
    const read = deposits.get(outpointOf(coin));
    return read ?? (customer && { ...customer, isCredited: isUnread(coin) });
  };
  const waitsFor = (coin: ScannedCoin): CoinWaits | null => {
    const depth = scan.height - coin.height + 1;
    const isOurs = own.has(coin.txid);
    if (depth < (isOurs ? withdrawalTerms.confirmations : depthNeeded(coin, steps))) return "young";
    return isOurs ? null : waitsAsDeposit(depositOf(coin));
  };
  return scan.coins
    .map((coin) => ({ ...toCoin(coin), waits: waitsFor(coin) }))
    .sort((a, b) => (a.units < b.units ? 1 : -1));
}

function waitsAsDeposit(deposit?: { isCredited: boolean; isFrozen: boolean }): CoinWaits | null {
  if (!deposit) return null;
  if (!deposit.isCredited) return "not-credited";
  return deposit.isFrozen ? "frozen" : null;
}

/** Blocks that must hold a coin, its own among them. */
function depthNeeded({ sats }: ScannedCoin, steps: ConfirmationStep[]): number {
  const needed = confirmationsNeeded(steps, { units: BigInt(sats), coinbase: false });
  // Bitcoin has no other than blocks.
  return needed === "finalized"
    ? Number.POSITIVE_INFINITY
    : Math.max(needed, withdrawalTerms.confirmations);
}

/** What the watcher knows of coins, by outpoint. */
async function findDeposits(db: Db | Tx, txids: string[]) {
  const p = chainPayments;
  const rows = await db
    .select({
      txid: p.txid,
      vout: p.outputIndex,
      // What two people said is nobody's deposit is the operator's to spend.
      isCredited: sql<boolean>`
        ${p.state} = 'mined' and (${p.settledAt} is not null or ${p.resolvedAs} in ('operators', 'set-aside'))`,
      isFrozen: sql<boolean>`is_frozen(${p.customerId}) and ${p.resolvedAs} is distinct from 'operators'`,
    })
    .from(p)
    .where(and(eq(p.chain, "bitcoin"), inArray(p.txid, txids), isNotNull(p.customerId)));
  return new Map(rows.map((row) => [outpointOf(row), row]));
}

/** Transactions that we built ourselves: nobody else can replace them. */
async function findOwn(db: Db | Tx, txids: string[]): Promise<Set<string | null>> {
  const v = withdrawalBatchVersions;
  const rows = await db.select({ txid: v.txid }).from(v).where(inArray(v.txid, txids));
  return new Set(rows.map(({ txid }) => txid));
}

/** The customers whose addresses are derived at these indexes, by branch and index: `2/17`. */
async function findIssued(db: Db | Tx, walletId: string, indexes: number[]) {
  const a = depositAddresses;
  const rows = await db
    .select({
      place: sql<string>`concat(${a.branch}, '/', ${a.derivationIndex})`,
      isFrozen: sql<boolean>`is_frozen(${a.customerId})`,
    })
    .from(a)
    .where(and(eq(a.walletId, walletId), inArray(a.derivationIndex, indexes)));
  return new Map(rows.map((row) => [row.place, row]));
}
