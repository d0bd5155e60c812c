import type { Network } from "#core/payments/address.ts";
import { utcDay } from "#core/utc-day.ts";
import { nodeDescriptor } from "#core/wallet/node-descriptor.ts";
import { branches } from "#core/wallet/wallet-key.ts";
import { usualGapLimit } from "#core/wallet/wallet-terms.ts";
import type { BitcoinNode } from "../chain/bitcoin/bitcoin-node.ts";
import type { Db } from "../platform/database.ts";
import { runEach } from "../platform/jobs/run-each.ts";
import { listWalletsToRead, type WalletToRead } from "./list-wallets-to-read.ts";
import { walletReadings } from "./schema.ts";

/**
 * Asks a Bitcoin node what lies in each wallet of the network whose public key is known here, former ones too: all unspent
 * outputs of all branches in blocks, whatever our tables say. Once for each wallet and UTC day, however often it is called, unless
 * they are to be read `again`.
 * Takes minutes on the main network. What the node does not answer of one wallet is asked for again by the next call, and
 * holds up no other.
 *
 * @throws what the node throws
 */
export async function readWallets(
  db: Db,
  {
    node,
    network,
    again = false,
  }: { node: Pick<BitcoinNode, "scanTxOutSet">; network: Network; again?: boolean },
  now: () => Date,
): Promise<void> {
  const wallets = await listWalletsToRead(db, { network, day: again ? null : utcDay(now()) });
  await runEach(wallets, async (wallet) => {
    const found = await node.scanTxOutSet(descriptorsOf(wallet, network));
    const readAt = now();
    await db
      .insert(walletReadings)
      .values({
        walletId: wallet.walletId,
        day: utcDay(readAt),
        asset: "BTC",
        readAt,
        units: found.unspents.reduce((sum, { amount }) => sum + amount, 0n),
        outputs: found.unspents.length,
        blockHeight: found.height,
        blockHash: found.bestblock,
      })
      .onConflictDoNothing();
  });
}

function descriptorsOf({ descriptor, nextIndex, nextChange }: WalletToRead, network: Network) {
  const key = { descriptor, network };
  return branches.map((branch) => {
    const next = branch === 1 ? nextChange : nextIndex;
    return { desc: nodeDescriptor(key, branch), range: next + usualGapLimit };
  });
}
