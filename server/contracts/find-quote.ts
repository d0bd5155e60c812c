import type { Coin } from "#core/asset.ts";
import { isUuid } from "#core/is-uuid.ts";
import { and, eq } from "#server/platform/sql.ts";
import { marketPrices } from "../markets/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { contractQuotes, contracts, plans, planVersions } from "./schema.ts";

const c = contracts;

const q = contractQuotes;

const v = planVersions;

/** A firm price, and what became of it. */
export interface Quote {
  quoteId: string;
  /** Of it and of all that renew it one is bought. */
  orderId: string;
  planVersionId: string;
  planName: string;
  slug: string;
  quantity: number;
  usdCents: bigint;
  coin: Coin;
  /** What is taken, in the coin's smallest unit. */
  units: bigint;
  /** Dollars for one coin, in 10^-8 dollars, when it was agreed on, and whether a demo made it up. */
  priceUsdE8: bigint;
  priceObservedAt: Date;
  simulated: boolean;
  quotedAt: Date;
  expiresAt: Date;
  /** What was bought with it, or with another price of its order; null: nothing. */
  contractId: string | null;
}

/** A customer's quote; null when there is none of this id, or it is another's. */
export async function findQuote(
  db: Db | Tx,
  customerId: string,
  quoteId: string,
): Promise<Quote | null> {
  if (!isUuid(quoteId)) return null;
  const [quote] = await db
    .select({
      quoteId: q.id,
      orderId: q.orderId,
      planVersionId: q.planVersionId,
      planName: v.name,
      slug: plans.slug,
      quantity: q.quantity,
      usdCents: q.usdCents,
      coin: q.coin,
      units: q.units,
      priceUsdE8: marketPrices.usdE8,
      priceObservedAt: marketPrices.observedAt,
      simulated: marketPrices.simulated,
      quotedAt: q.quotedAt,
      expiresAt: q.expiresAt,
      contractId: c.id,
    })
    .from(q)
    .innerJoin(v, eq(v.id, q.planVersionId))
    .innerJoin(plans, eq(plans.id, v.planId))
    .innerJoin(marketPrices, eq(marketPrices.id, q.priceId))
    .leftJoin(c, eq(c.orderId, q.orderId))
    .where(and(eq(q.id, quoteId), eq(q.customerId, customerId)));
  return quote ?? null;
}
