import { asc, count } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { depositAddresses, wallets } from "../schema.ts";

/** How many addresses of each wallet customers were given. */
export async function countIssued(db: Db): Promise<Map<string, number>> {
  const a = depositAddresses;
  const rows = await db
    .select({ walletId: a.walletId, issued: count() })
    .from(a)
    .groupBy(a.walletId);
  return new Map(rows.map(({ walletId, issued }) => [walletId, issued]));
}

/** Every wallet that was ever configured: coins can still arrive at the addresses of former ones. */
export function listWallets(db: Db) {
  return db.select().from(wallets).orderBy(asc(wallets.chain), asc(wallets.firstSeenAt));
}
