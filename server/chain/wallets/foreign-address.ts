import { deriveAddress } from "#core/wallet/derive-address.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { and, desc, eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { chainIncidents, walletAddresses, wallets } from "../schema.ts";

/** An address as the database has it: at its place below a wallet's key. */
export interface PlacedAddress {
  address: string;
  branch: 0 | 2;
  derivationIndex: number;
}

/** An address of the database that the configured key does not give at its place. Whoever pays there pays a stranger. */
export class ForeignAddress extends Error {
  override name = "ForeignAddress";

  constructor({ address, branch, derivationIndex }: PlacedAddress) {
    super(
      `${address} is not what the configured key gives at /${branch}/${derivationIndex}. Run npm run verify -- addresses`,
    );
  }
}

/** Whether the configured key gives an address at its place: what the database says is never enough to show it. */
export function isDerived(
  key: WalletKey,
  { address, branch, derivationIndex }: PlacedAddress,
): boolean {
  return deriveAddress(key, derivationIndex, branch) === address;
}

/** Those ahead, on both branches, and some that were given out last: what is watched on each pass. */
const newest = 60;

/**
 * Looks at the newest addresses of a wallet on the branches where addresses are written down. All of them: `verifyAddresses`.
 *
 * @throws ForeignAddress
 */
export async function requireDerived(db: Db | Tx, key: WalletKey): Promise<void> {
  const w = walletAddresses;
  for (const branch of [0, 2] as const) {
    const rows = await db
      .select({ address: w.address, branch: w.branch, derivationIndex: w.derivationIndex })
      .from(w)
      .innerJoin(wallets, eq(wallets.id, w.walletId))
      .where(
        and(
          ...[eq(wallets.network, key.network), eq(wallets.descriptor, key.descriptor)],
          eq(w.branch, branch),
        ),
      )
      .orderBy(desc(w.derivationIndex))
      .limit(newest);
    const foreign = rows.find((row) => !isDerived(key, row));
    if (foreign) throw new ForeignAddress(foreign);
  }
}

/** Lists it among a chain's incidents, once. */
export async function recordForeignAddress(
  db: Db | Tx,
  { chain }: Pick<WalletKey, "chain">,
  { message }: ForeignAddress,
  now: Date,
): Promise<void> {
  const detail = message.slice(0, 300);
  const health = "foreign-address" as const;
  const isSame = and(eq(chainIncidents.health, health), eq(chainIncidents.detail, detail));
  const known = await db.select({ one: sql`1` }).from(chainIncidents).where(isSame).limit(1);
  if (known.length > 0) return;
  await db.insert(chainIncidents).values({ chain, health, detail, beganAt: now, endedAt: now });
}
