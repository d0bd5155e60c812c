import { desc, eq, sql } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { confirmations } from "./find-confirmations.ts";
import { chainPayments, walletAddresses } from "./schema.ts";

/** What arrived at the operator's own addresses, or where nobody had been given one, and is not in the books. Newest first. */
export function listArrivals(db: Db, limit: number) {
  const p = chainPayments;
  return db
    .select({
      paymentId: p.id,
      chain: p.chain,
      txid: p.txid,
      asset: p.asset,
      units: p.units,
      state: p.state,
      seenAt: p.seenAt,
      address: p.address,
      purpose: walletAddresses.purpose,
      outputIndex: p.outputIndex,
      confirmations,
    })
    .from(p)
    .innerJoin(walletAddresses, eq(walletAddresses.address, p.address))
    .where(sql`${p.id} in (select id from arrivals_to_record())`)
    .orderBy(desc(p.seenAt), desc(p.id))
    .limit(limit);
}

export type Arrival = Awaited<ReturnType<typeof listArrivals>>[number];
