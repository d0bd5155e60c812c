import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { confirmationsNeeded } from "../../chain/payment.ts";
import { findPosition } from "../../chain/queries.ts";
import type { ConfirmationStep } from "../../platform/config.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { type Coin, outpointOf, type ScannedCoin, toCoin } from "./coin.ts";
import { findDeposits, findIssued, findOwn } from "./queries.ts";

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
