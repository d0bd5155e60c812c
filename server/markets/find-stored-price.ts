import { asc, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { marketPrices, marketQuotes } from "./schema.ts";

/** A price that money was valued with, with all that it rests on; null when there is none of that id. */
export async function findStoredPrice(db: Db | Tx, priceId: string) {
  const { asset, usdE8, observedAt, agreed, simulated } = marketPrices;
  const [price] = await db
    .select({ asset, usdE8, observedAt, sources: agreed, simulated })
    .from(marketPrices)
    .where(eq(marketPrices.id, priceId));
  return price ? { ...price, quotes: await listQuotes(db, priceId) } : null;
}

/** What a price rests on: every exchange that gave a quote, with its own figure, time and what came of it. */
export async function listQuotes(db: Db | Tx, priceId: string) {
  const q = marketQuotes;
  return db
    .select({
      source: q.source,
      host: q.host,
      usdE8: q.usdE8,
      quotedAt: q.quotedAt,
      verdict: q.verdict,
    })
    .from(q)
    .where(eq(q.priceId, priceId))
    .orderBy(asc(q.verdict), asc(q.source));
}
