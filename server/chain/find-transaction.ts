import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Config, EthereumChain } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import { EthereumNode } from "./ethereum-node.ts";
import { openSource } from "./open-source.ts";
import { findPosition } from "./queries.ts";
import { toldBy } from "./told-by.ts";

/** What a chain's source says of a transaction. */
export interface KnownTransaction {
  inBlock: boolean;
  /** It is in a block, and moved nothing but its fee. Bitcoin has no such thing. */
  failed: boolean;
  /** Whether we have looked at whom it pays. */
  isRead: boolean;
}

/**
 * Asks a chain's source for a transaction; null: it does not know it, which need not mean that there is none, or nobody is
 * asked about the chain.
 *
 * @throws SourceTrouble
 */
export async function findTransaction(
  { db, config }: { db: Db; config: Pick<Config, "bitcoinChain" | "ethereumChain"> },
  chain: WalletChain,
  txid: string,
  withinMs: number,
): Promise<KnownTransaction | null> {
  const signal = AbortSignal.timeout(withinMs);
  if (chain === "ethereum") {
    return config.ethereumChain && findOnEthereum(db, config.ethereumChain, txid, signal);
  }
  const found = await openSource(config, signal)?.findTransaction(txid);
  // Those that wait for a block are looked at, too.
  return found ? { ...found, failed: false, isRead: true } : null;
}

async function findOnEthereum(
  db: Db,
  { url }: EthereumChain,
  txid: string,
  signal: AbortSignal,
): Promise<KnownTransaction | null> {
  const node = new EthereumNode(url, signal);
  const receipt = await toldBy(node.getReceipt(txid));
  if (!receipt) {
    const waits = (await toldBy(node.getTransaction(txid))) !== null;
    return waits ? { inBlock: false, failed: false, isRead: false } : null;
  }
  const position = await findPosition(db, "ethereum");
  const isRead = position !== null && receipt.blockNumber <= position.height;
  return { inBlock: true, failed: !receipt.status, isRead };
}
