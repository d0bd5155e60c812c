import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { and, count, eq, gt, isNotNull, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { chainPayments } from "./schema.ts";

/** What was credited for payments in blocks above a height: taken back, unless the chain holds them again. */
export function listCreditedAbove(db: Db, chain: WalletChain, height: number) {
  const p = chainPayments;
  const isCredited = and(eq(p.state, "mined"), isNotNull(p.settledAt));
  return db
    .select({
      asset: p.asset,
      payments: count(),
      units: sql`sum(${p.units})`.mapWith(p.units),
    })
    .from(p)
    .where(and(eq(p.chain, chain), gt(p.blockHeight, height), isCredited))
    .groupBy(p.asset)
    .orderBy(p.asset);
}
