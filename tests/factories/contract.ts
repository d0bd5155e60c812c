import { randomUUID } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { versionInForce } from "#core/legal/legal-versions.ts";
import { utcDay } from "#core/utc-day.ts";
import { buyContract } from "#server/contracts/buy-contract.ts";
import { quoteContract } from "#server/contracts/quote-contract.ts";
import { plans, planVersions } from "#server/contracts/schema.ts";
import type { Customer } from "#server/identity/account/customer.ts";
import { actAsSystem } from "#server/identity/audit/act-as-operator.ts";
import { stateResidence } from "#server/kyc/state-residence.ts";
import { findFreshPrice } from "#server/markets/find-fresh-price.ts";
import type { Db } from "#server/platform/database.ts";
import { eq } from "#server/platform/sql.ts";
import { creditTestDeposit } from "./credited-deposit.ts";
import { createTestCustomer } from "./customer.ts";
import { testBrowser } from "./kyc.ts";
import { createTestPrice } from "./market.ts";

type Version = typeof planVersions.$inferInsert;

/** A plan on offer: 1 TH/s for 30 days at $15, unless the test says otherwise. */
export async function offerTestPlan(
  db: Db,
  wanted: Partial<Omit<Version, "id" | "planId" | "state">> & { now?: Date; slug?: string } = {},
): Promise<{ planId: string; planVersionId: string; slug: string }> {
  const { now = new Date("2026-01-01T00:00:00Z"), slug = `plan-${randomUUID()}`, ...said } = wanted;
  const planId = randomUUID();
  const planVersionId = randomUUID();
  const by = { subject: `plan-version:${planVersionId}`, detail: {}, now };
  await actAsSystem(db, { act: "plans/draft", ...by }, async (tx, actionId) => {
    await tx.insert(plans).values({ id: planId, slug, createdAt: now, actionId });
    await tx.insert(planVersions).values({
      id: planVersionId,
      planId,
      version: 1,
      name: "Thirty days",
      unitGhs: 1_000n,
      termDays: 30,
      mostUnits: 100,
      priceUsdCents: 1_500n,
      machinesUsdCents: 1_000n,
      setupUsdCents: 300n,
      marginUsdCents: 200n,
      maintenanceUsdMicros: 40_000n,
      energyUsdMicros: 30_000n,
      operationUsdMicros: 8_000n,
      maintenanceMarginUsdMicros: 2_000n,
      termination: "refund-unserved",
      createdAt: now,
      createdActionId: actionId,
      ...said,
    });
  });
  await actAsSystem(db, { act: "plans/publish", ...by }, async (tx, actionId) => {
    await tx
      .update(planVersions)
      .set({ state: "published", publishedAt: now, publishedActionId: actionId })
      .where(eq(planVersions.id, planVersionId));
  });
  return { planId, planVersionId, slug };
}

/** A customer of a country that is served, with bitcoin. */
export async function createTestBuyer(
  db: Db,
  wanted: { sats?: bigint; country?: string | null; firstName?: string } = {},
): Promise<Customer> {
  const { sats = 100_000_000n, country = "GB", ...who } = wanted;
  const customer = await createTestCustomer(db, who);
  if (country) {
    const stated = { customerId: customer.id, country, ...testBrowser };
    await stateResidence(db, stated, new Date());
  }
  if (sats > 0n) await creditTestDeposit(db, customer.id, sats);
  return customer;
}

const testUsdE8 = 10_000_000_000_000n;

/** Quotes and buys as the page does, at one moment; exchanges agree on a price then. */
export async function buyTestContract(
  db: Db,
  wanted: {
    customerId: string;
    planVersionId: string;
    quantity?: number;
    coin?: Coin;
    /** What the coin costs; $100,000 where no fresh price is there. */
    usdE8?: bigint;
    now: Date;
  },
): Promise<{ contractId: string }> {
  const { customerId, planVersionId, quantity = 1, coin = "BTC", now } = wanted;
  const { usdE8 } = wanted;
  if (usdE8 || !(await findFreshPrice(db, coin, now))) {
    await createTestPrice(db, { asset: coin, usdE8: usdE8 ?? testUsdE8, observedAt: now });
  }
  const quote = await quoteContract(db, { customerId, planVersionId, quantity, coin }, now);
  return buyContract(db, { customerId, quoteId: quote.quoteId, ...acceptedTerms(now) }, now);
}

/** The terms as somebody accepts them who has just read them. */
export function acceptedTerms(now: Date): { termsVersion: string; termsSha256: string } {
  const { version, sha256 } = versionInForce("terms", utcDay(now));
  return { termsVersion: version, termsSha256: sha256 };
}
