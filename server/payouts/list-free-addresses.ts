import { and, asc, eq, isNull, notExists } from "#server/platform/sql.ts";
import { walletAddresses } from "../chain/schema.ts";
import type { Db } from "../platform/database.ts";
import { poolAddresses } from "./schema.ts";

/** The operator's own addresses of a wallet at which nothing was seen and no pool pays, lowest first: for pools, and for own money. */
export function listFreeAddresses(db: Db, walletId: string, limit: number) {
  const w = walletAddresses;
  const ofPool = db.select().from(poolAddresses).where(eq(poolAddresses.address, w.address));
  return db
    .select({ address: w.address, branch: w.branch, derivationIndex: w.derivationIndex })
    .from(w)
    .where(and(eq(w.walletId, walletId), eq(w.purpose, "own"), isNull(w.seenAt), notExists(ofPool)))
    .orderBy(asc(w.derivationIndex))
    .limit(limit);
}
