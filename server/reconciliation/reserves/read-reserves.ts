import { bytesToHex } from "@noble/hashes/utils.js";
import { Address, OutScript } from "@scure/btc-signer";
import type { Network } from "#core/payments/address.ts";
import { bitcoinNetworks } from "#core/wallet/derive-address.ts";
import type { Db } from "#server/platform/database.ts";
import { and, eq, gt, isNotNull, isNull, or, type SQL } from "#server/platform/sql.ts";
import type { BitcoinNode } from "../../chain/bitcoin/bitcoin-node.ts";
import type { EthereumNode } from "../../chain/ethereum/ethereum-node.ts";
import { balanceOf } from "../../withdrawals/ethereum/read-token.ts";
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
  const signed = await listAwaited(db, isNotNull(r.walletId), now());
  const addresses = [...new Set(signed.map(({ address }) => address))];
  if (addresses.length === 0) return;
  const found = await node.scanTxOutSet(addresses.map((address) => `addr(${address})`));
  const readAt = now();
  const coins = Map.groupBy(found.unspents, ({ scriptPubKey }) => scriptPubKey);
  for (const reserve of signed) {
    const there = coins.get(scriptOf(reserve.address, network)) ?? [];
    const change = changeOf(reserve, there, found, readAt);
    if (change) await note(db, reserve.id, change);
  }
}

/**
 * Asks a node what the accounts on Ethereum hold that signed: of a new signature what it stands for, of an older one whether it is still
 * that much.
 *
 * @throws what the node throws
 */
export async function readAccounts(
  db: Db,
  { node, usdtContract }: { node: EthereumNode; usdtContract: string | null },
  now: () => Date,
): Promise<void> {
  const signed = await listAwaited(db, isNull(r.walletId), now());
  const block = signed.length > 0 ? await node.getHeader("latest") : null;
  if (!block) return;
  const { number: blockHeight, hash: blockHash } = block;
  for (const reserve of signed) {
    const { address } = reserve;
    const units = await node.getBalance(address, blockHeight);
    const usdtUnits = usdtContract ? await balanceOf(node, usdtContract, address, blockHeight) : 0n;
    const found = { units, usdtUnits, blockHeight, blockHash };
    const change = changeOfAccount(reserve, found, now());
    if (change) await note(db, reserve.id, change);
  }
}

const r = reserveSignatures;

/** What counts, and what was signed within a week: what has no coins in a block by then gets none any more. */
function listAwaited(db: Db, where: SQL, now: Date) {
  const since = new Date(now.getTime() - 7 * 86_400_000);
  const isAwaited = or(isNotNull(r.readAt), gt(r.signedAt, since));
  return db
    .select()
    .from(r)
    .where(and(isNull(r.spentAt), isAwaited, where));
}

async function note(db: Db, id: string, change: Change): Promise<void> {
  await db
    .update(r)
    .set(change)
    .where(and(eq(r.id, id), isNull(r.spentAt)));
}

type Reserve = typeof r.$inferSelect;
type Change = Partial<typeof r.$inferInsert>;
type Found = Awaited<ReturnType<BitcoinNode["scanTxOutSet"]>>;

/** What a scan says of a signature's coins; null: nothing. */
function changeOf(
  { outputs, blockHeight }: Reserve,
  there: Found["unspents"],
  { height, bestblock }: Found,
  readAt: Date,
): Change | null {
  const here = new Set(there.map(({ txid, vout }) => `${txid}:${vout}`));
  if (outputs === null) {
    // Before they are in a block there is nothing to count, and the next hour looks again.
    if (there.length === 0) return null;
    const units = there.reduce((sum, { amount }) => sum + amount, 0n);
    const at = { blockHeight: height, blockHash: bestblock, readAt, seenAt: readAt };
    return { units, outputs: [...here], ...at };
  }
  if (outputs.every((each) => here.has(each))) return { seenAt: readAt };
  return endAt(readAt, height, blockHeight);
}

/** The same of an account. */
function changeOfAccount(
  { units, usdtUnits, blockHeight }: Reserve,
  found: { units: bigint; usdtUnits: bigint; blockHeight: number; blockHash: string },
  readAt: Date,
): Change | null {
  if (units === null) {
    return found.units + found.usdtUnits > 0n ? { ...found, readAt, seenAt: readAt } : null;
  }
  const isThere = found.units >= units && found.usdtUnits >= (usdtUnits ?? 0n);
  return isThere ? { seenAt: readAt } : endAt(readAt, found.blockHeight, blockHeight);
}

/** A node that was set back knows less than the one that found them. */
function endAt(readAt: Date, height: number, foundAt: number | null): Change | null {
  return height >= (foundAt ?? 0) ? { spentAt: readAt } : null;
}

function scriptOf(address: string, network: Network): string {
  return bytesToHex(OutScript.encode(Address(bitcoinNetworks[network]).decode(address)));
}
