import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Tx } from "../../platform/database.ts";
import { enqueue, nodeQueues } from "../../platform/jobs/jobs.ts";

/** The job that follows the batches of a chain: one run at a time, however long a node takes. */
export function followJob(chain: WalletChain): `withdrawals/follow-${WalletChain}` {
  return `withdrawals/follow-${chain}`;
}

/** What is asked of a node for payments on its chain is asked one after the other. */
export const paymentQueues: Record<WalletChain, string> = {
  bitcoin: nodeQueues.payInBitcoin,
  ethereum: nodeQueues.payInEthereum,
};

/** Follows the batches of a chain without waiting for the next minute. */
export function followSoon(tx: Tx, chain: WalletChain, key: string): Promise<void> {
  return enqueue(tx, followJob(chain), {}, { key, queue: paymentQueues[chain] });
}
