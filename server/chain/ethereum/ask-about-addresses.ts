import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, asc, eq, isNull, lt, or, sql } from "#server/platform/sql.ts";
import type { EthereumChain } from "../../platform/config.ts";
import type { Db } from "../../platform/database.ts";
import { walletAddresses } from "../schema.ts";
import { findWallet } from "../wallets/find-wallet.ts";
import type { EthereumNode } from "./ethereum-node.ts";

/** The watcher sees what comes after it asked; that it has not missed anything is asked again each day. */
const askAgainAfterMs = 24 * 3_600_000;

/**
 * Asks a node about customers' next Ethereum addresses, before anybody is given them: whether something was ever sent from there, or
 * is there now: ether, USDT, a contract. Such an address is given to nobody. A balance that came and went, without a transaction of
 * the address, no node tells.
 *
 * @throws NodeError
 */
export async function askAboutAddresses(
  db: Db,
  {
    node,
    key,
    usdtContract,
  }: { node: EthereumNode; key: WalletKey } & Pick<EthereumChain, "usdtContract">,
  { limit, now }: { limit: number; now: Date },
): Promise<void> {
  const wallet = await findWallet(db, key);
  if (!wallet?.comparedAt) return;
  const w = walletAddresses;
  const isIssued = sql`exists (select from deposit_addresses d where d.address = ${w.address})`;
  const before = new Date(now.getTime() - askAgainAfterMs);
  const next = await db
    .select({ address: w.address })
    .from(w)
    .where(
      and(
        eq(w.walletId, wallet.id),
        eq(w.branch, key.customerBranch),
        // Below what was given out last there is nothing to give out any more.
        sql`${w.derivationIndex} > coalesce((select max(d.derivation_index) from deposit_addresses d
              where d.wallet_id = ${wallet.id} and d.branch = ${key.customerBranch}), -1)`,
        isNull(w.seenAt),
        or(isNull(w.askedAt), lt(w.askedAt, before)),
        sql`not ${isIssued}`,
      ),
    )
    .orderBy(asc(w.derivationIndex))
    .limit(limit);
  for (const { address } of next) {
    const isUsed = await wasUsed(node, address, usdtContract);
    await db
      .update(w)
      .set({ askedAt: now, ...(isUsed && { seenAt: now }) })
      .where(and(eq(w.address, address), isNull(w.seenAt)));
  }
}

async function wasUsed(
  node: EthereumNode,
  address: string,
  usdtContract: string | null,
): Promise<boolean> {
  const [sent, wei, code, token] = await Promise.all([
    node.getTransactionCount(address, "pending"),
    node.getBalance(address, "pending"),
    node.getCode(address),
    usdtContract ? node.call({ to: usdtContract, data: balanceOf(address) }) : "0x",
  ]);
  return sent > 0 || wei > 0n || code !== "0x" || /[1-9a-f]/i.test(token.slice(2));
}

/** `balanceOf(address)` of ERC-20. */
function balanceOf(address: string): string {
  return `0x70a08231${address.slice(2).toLowerCase().padStart(64, "0")}`;
}
