import { randomUUIDv7 } from "node:crypto";
import { type Coin, coins } from "#core/asset.ts";
import { unitsToPayUsdCents } from "#core/price.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { pinPrice } from "../markets/pin-price.ts";
import { requireFreshPrice } from "../markets/require-fresh-price.ts";
import type { Db } from "../platform/database.ts";
import { countAttempt, type Limit } from "../platform/rate-limit.ts";
import { findQuote, type Quote } from "./find-quote.ts";
import { hasBought } from "./has-bought.ts";
import { findOfferedVersion } from "./list-offered-plans.ts";
import { requireBuyer } from "./require-buyer.ts";
import { contractQuotes } from "./schema.ts";

const quotesOfOne: Limit = { purpose: "contracts/quote", max: 60, windowMinutes: 10 };

/** What a customer wants to buy. */
export interface Wish {
  customerId: string;
  planVersionId: string;
  quantity: number;
  coin: Coin;
  /** The order whose price is asked for anew; left out: it is a new one. */
  orderId?: string;
}

/**
 * Says what a purchase costs in a coin, firmly for 30 seconds: the plan's dollars at the price that exchanges agree on
 * now, rounded up to the coin's smallest unit, so that what is paid covers the price. The price is kept for good. However often it is
 * renewed, an order is bought once.
 *
 * @throws Refusal `contracts/no-such-coin`, `contracts/plan-not-offered`, `contracts/too-many-units`, `contracts/not-enough-hashrate`,
 * `markets/price-too-old`, `markets/sources-disagree`, and as `requireBuyer` does
 * @throws TooManyAttempts
 */
export async function quoteContract(db: Db, wish: Wish, now: Date): Promise<Quote> {
  const { customerId, planVersionId, quantity, coin } = wish;
  if (!coins.includes(coin)) throw new Refusal("contracts/no-such-coin");
  await countAttempt(db, quotesOfOne, customerId, now);
  const isFirst = !(await hasBought(db, customerId));
  const plan = await findOfferedVersion(db, planVersionId, { now, isFirst });
  if (!plan) throw new Refusal("contracts/plan-not-offered");
  const isWhole = Number.isSafeInteger(quantity) && quantity >= 1;
  if (!isWhole || quantity > plan.mostUnits) throw new Refusal("contracts/too-many-units");
  if (quantity > plan.freeUnits) throw new Refusal("contracts/not-enough-hashrate");
  const usdCents = plan.priceUsdCents * BigInt(quantity);
  await requireBuyer(db, { customerId, usdCents, now });
  const price = await requireFreshPrice(db, coin, now);
  const quoteId = randomUUIDv7();
  await db.transaction(async (tx) => {
    await pinPrice(tx, price);
    await tx.insert(contractQuotes).values({
      id: quoteId,
      orderId: wish.orderId ?? quoteId,
      customerId,
      planVersionId,
      quantity,
      usdCents,
      coin,
      units: unitsToPayUsdCents(usdCents, coin, price.usdE8),
      priceId: price.priceId,
      quotedAt: now,
      expiresAt: new Date(now.getTime() + terms.quoteSeconds * 1000),
    });
  });
  const quote = await findQuote(db, customerId, quoteId);
  if (!quote) throw new Error("the quote just made is not there");
  return quote;
}
