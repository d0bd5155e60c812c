import { and, asc, eq, isNull } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { walletAddresses } from "../schema.ts";

/** The operator's own addresses of a wallet at which nothing was seen yet, lowest first: for pools, and for own money. */
export function listOwnAddresses(db: Db, walletId: string, limit: number) {
  const w = walletAddresses;
  return db
    .select({ address: w.address, branch: w.branch, derivationIndex: w.derivationIndex })
    .from(w)
    .where(and(eq(w.walletId, walletId), eq(w.purpose, "own"), isNull(w.seenAt)))
    .orderBy(asc(w.derivationIndex))
    .limit(limit);
}
