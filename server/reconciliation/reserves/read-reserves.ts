import { bytesToHex } from "@noble/hashes/utils.js";
import { Address, OutScript } from "@scure/btc-signer";
import type { Network } from "#core/payments/address.ts";
import { bitcoinNetworks } from "#core/wallet/derive-address.ts";
import type { Db } from "#server/platform/database.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
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
  const signed = await db.select().from(r).where(isNull(r.spentAt));
  const addresses = [...new Set(signed.map(({ address }) => address))];
  if (addresses.length === 0) return;
  const found = await node.scanTxOutSet(addresses.map((address) => `addr(${address})`));
  const readAt = now();
  for (const { id, address, outputs } of signed) {
    const script = scriptOf(address, network);
    const coins = found.unspents.filter(({ scriptPubKey }) => scriptPubKey === script);
    const here = coins.map(({ txid, vout }) => `${txid}:${vout}`).sort();
    if (outputs === null) {
      const units = coins.reduce((sum, { amount }) => sum + amount, 0n);
      const at = { blockHeight: found.height, blockHash: found.bestblock, readAt };
      const isFirst = and(eq(r.id, id), isNull(r.readAt));
      await db
        .update(r)
        .set({ units, outputs: here, ...at })
        .where(isFirst);
    } else if (!outputs.every((each) => here.includes(each))) {
      await db
        .update(r)
        .set({ spentAt: readAt })
        .where(and(eq(r.id, id), isNull(r.spentAt)));
    }
  }
}

function scriptOf(address: string, network: Network): string {
  return bytesToHex(OutScript.encode(Address(bitcoinNetworks[network]).decode(address)));
}
