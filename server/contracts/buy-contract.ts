import { randomUUIDv7 } from "node:crypto";
import { type LegalVersion, versionInForce } from "#core/legal/legal-versions.ts";
import { coolingOffUntil, firstDay } from "#core/mining/first-day.ts";
import { Refusal } from "#core/refusal.ts";
import { addDays, utcDay } from "#core/utc-day.ts";
import { lockCustomer } from "../identity/account/lock-customer.ts";
import { postTransfer } from "../ledger/post-transfer.ts";
import { sendNoticeLater } from "../notices/send-notice.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { expectResult } from "./expect-result.ts";
import { findQuote, type Quote } from "./find-quote.ts";
import { hasBought } from "./has-bought.ts";
import { findOfferedVersion } from "./list-offered-plans.ts";
import { refusals } from "./refusals.ts";
import { requireBuyer } from "./require-buyer.ts";
import { contracts } from "./schema.ts";

/** What a customer agrees to by the button that buys. */
export interface Purchase {
  customerId: string;
  quoteId: string;
  /** The version of the terms that he was shown and accepted, and the SHA-256 of its text. */
  termsVersion: string;
  termsSha256: string;
  /** The first day that he was shown, which a first contract has later than others. Left out where no page was shown. */
  startsOn?: string | undefined;
}

/**
 * Buys what was quoted, while the quote stands: takes the coins from the customer's balance and gives him the hashrate,
 * or does neither. It starts with the next UTC day; a customer's first contract when it can no longer be given back. The
 * same quote again, or another of its order, is the same contract.
 *
 * Locks the customer, so that of two purchases at once only one is the first, then the fleet.
 *
 * @throws Refusal `contracts/no-such-quote`, `contracts/quote-expired`, `contracts/terms-changed`,
 * `contracts/first-day-changed`, `contracts/plan-not-offered`, `contracts/not-enough-hashrate`,
 * `contracts/credit-taken-back`, `ledger/insufficient-balance`, and as
 * `requireBuyer` does
 */
export async function buyContract(
  db: Db,
  purchase: Purchase,
  now: Date,
): Promise<{ contractId: string; repeated: boolean }> {
  const { customerId, quoteId } = purchase;
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockCustomer(tx, customerId);
      const quote = await findQuote(tx, customerId, quoteId);
      if (!quote) throw new Refusal("contracts/no-such-quote");
      if (quote.contractId) return { contractId: quote.contractId, repeated: true };
      if (now > quote.expiresAt) throw new Refusal("contracts/quote-expired");
      const terms = requireAccepted(purchase, now);
      await requireBuyer(tx, { customerId, usdCents: quote.usdCents, now });
      const contractId = await take(tx, quote, { purchase, terms, now });
      return { contractId, repeated: false };
    }),
  );
}

/** Whoever accepted another version than the one in force is shown the new one first. */
function requireAccepted({ termsVersion, termsSha256 }: Purchase, now: Date): LegalVersion {
  const inForce = versionInForce("terms", utcDay(now));
  if (inForce.version !== termsVersion || inForce.sha256 !== termsSha256) {
    throw new Refusal("contracts/terms-changed");
  }
  return inForce;
}

async function take(
  tx: Tx,
  quote: Quote,
  { purchase, terms, now }: { purchase: Purchase; terms: LegalVersion; now: Date },
): Promise<string> {
  const { customerId } = purchase;
  const { planVersionId, quantity, coin, units } = quote;
  const plan = await findOfferedVersion(tx, planVersionId, { now });
  if (!plan) throw new Refusal("contracts/plan-not-offered");
  const id = randomUUIDv7();
  // One that was given back was a first one, too.
  const isFirst = !(await hasBought(tx, customerId));
  const startsOn = firstDay(now, isFirst);
  // With the day goes the right to a refund, which a contract bought meanwhile in another tab has taken.
  if (purchase.startsOn !== undefined && purchase.startsOn !== startsOn) {
    throw new Refusal("contracts/first-day-changed");
  }
  const plannedLastDay = addDays(startsOn, plan.termDays - 1);
  const givenBackUntil = isFirst ? coolingOffUntil(now) : null;
  const ghs = plan.unitGhs * BigInt(quantity);
  const { transferId } = await postTransfer(tx, {
    kind: "contract-purchase",
    key: `contract-purchase:${id}`,
    ownerId: customerId,
    day: utcDay(now),
    occurredAt: now,
    source: `contract:${id}`,
    memo: `${quantity} × ${plan.name}, ${plan.termDays} days from ${startsOn}`,
    legs: [
      { account: "available", asset: coin, owner: customerId, units: -units },
      { account: "contract_prepaid", asset: coin, owner: "house", units },
    ],
  });
  await tx.insert(contracts).values({
    id,
    customerId,
    planVersionId,
    quoteId: quote.quoteId,
    orderId: quote.orderId,
    quantity,
    ghs,
    termDays: plan.termDays,
    usdCents: quote.usdCents,
    coin,
    units,
    transferId,
    termsVersion: terms.version,
    termsSha256: Buffer.from(terms.sha256, "hex"),
    boughtAt: now,
    coolingOffUntil: givenBackUntil,
    startsOn,
    plannedLastDay,
  });
  const { usdCents } = quote;
  await sendNoticeLater(tx, {
    customerId,
    notice: {
      kind: "contract-bought",
      contractId: id,
      plan: plan.name,
      quantity,
      ghs,
      startsOn,
      plannedLastDay,
      asset: coin,
      units,
      usdCents,
      coolingOffUntil: givenBackUntil?.toISOString() ?? null,
      ...(await expectResult(tx, { plan, quantity, startsOn, now })),
    },
  });
  return id;
}
