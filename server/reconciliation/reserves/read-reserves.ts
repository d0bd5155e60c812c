import { bytesToHex } from "@noble/hashes/utils.js";
import { Address, OutScript } from "@scure/btc-signer";
import type { Network } from "#core/payments/address.ts";
import { bitcoinNetworks } from "#core/wallet/derive-address.ts";
import type { Db } from "#server/platform/database.ts";
import { and, eq, gt, isNotNull, isNull, or } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import { reserveSignatures } from "../schema.ts";

/**
 * Asks a node what is at the addresses that signed: of a new signature the coins that it stands for, of an older one whether all of
 * them are still there. Takes minutes on the main network.
 *
 * @throws what the node throws
 */
export async function readReserves(
  db: Db,
  { node, network }: { node: Pick<BitcoinNode, "scanTxOutSet">; network: Network },
  now: () => Date,
): Promise<void> {
  const r = reserveSignatures;
  // What was signed a week ago, and has no coins in a block, gets none any more.
  const since = new Date(now().getTime() - 7 * 86_400_000);
  const isAwaited = or(isNotNull(r.readAt), gt(r.signedAt, since));
  const signed = await db
    .select()
    .from(r)
    .where(and(isNull(r.spentAt), isAwaited));
  const addresses = [...new Set(signed.map(({ address }) => address))];
  if (addresses.length === 0) return;
  const found = await node.scanTxOutSet(addresses.map((address) => `addr(${address})`));
  const readAt = now();
  const coins = Map.groupBy(found.unspents, ({ scriptPubKey }) => scriptPubKey);
  for (const reserve of signed) {
    const there = coins.get(scriptOf(reserve.address, network)) ?? [];
    const change = changeOf(reserve, there, found, readAt);
    if (change)
      await db
        .update(r)
        .set(change)
        .where(and(eq(r.id, reserve.id), isNull(r.spentAt)));
  }
}

type Found = Awaited<ReturnType<BitcoinNode["scanTxOutSet"]>>;

/** What a scan says of a signature's coins; null: nothing. */
function changeOf(
  { outputs, blockHeight }: typeof reserveSignatures.$inferSelect,
  there: Found["unspents"],
  { height, bestblock }: Found,
  readAt: Date,
): Partial<typeof reserveSignatures.$inferInsert> | null {
  const here = new Set(there.map(({ txid, vout }) => `${txid}:${vout}`));
  if (outputs === null) {
    // Before they are in a block there is nothing to count, and the next hour looks again.
    if (there.length === 0) return null;
    const units = there.reduce((sum, { amount }) => sum + amount, 0n);
    const at = { blockHeight: height, blockHash: bestblock, readAt, seenAt: readAt };
    return { units, outputs: [...here], ...at };
  }
  if (outputs.every((each) => here.has(each))) return { seenAt: readAt };
  // A node that was set back knows less than the one that found them.
  return height >= (blockHeight ?? 0) ? { spentAt: readAt } : null;
}

function scriptOf(address: string, network: Network): string {
  return bytesToHex(OutScript.encode(Address(bitcoinNetworks[network]).decode(address)));
}
