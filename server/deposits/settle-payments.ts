import { Refusal } from "#core/refusal.ts";
import { confirmationsNeeded } from "../chain/payment.ts";
import { findSource, listPaymentsToSettle } from "../chain/queries.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import { creditPayment } from "./credit-payment.ts";
import { listLostPayments, listReturnedPayments } from "./queries.ts";
import { keepCredit, takeBackCredit } from "./take-back-credit.ts";
import { valueDeposits } from "./value-deposits.ts";

const atOnce = 500;
/** A source that was not asked for so long may have left the chain that we know. */
const askedWithinMs = 15 * 60_000;

interface Context {
  db: Db;
  config: Pick<Config, "confirmations">;
  log: Log;
}

/**
 * Brings the journal to what the chain says: credits payments that have their confirmations, takes back what left the
 * chain, and values what had no price. While the chain's source cannot be used, nothing is credited or taken back. Each
 * payment is a transaction of its own: one that cannot be settled holds up no other.
 */
export async function settlePayments(context: Context, now: Date): Promise<void> {
  const { db } = context;
  if (await isUsable(db, now)) {
    for (const { paymentId } of await listReturnedPayments(db)) {
      await keepCredit(db, { paymentId, now });
    }
    for (const payment of await listPaymentsToSettle(db, atOnce)) {
      await settle(context, payment, now);
    }
    for (const { paymentId } of await listLostPayments(db, "bitcoin")) {
      await takeBackCredit(db, { paymentId, now });
    }
  }
  await valueDeposits(db, now);
}

async function isUsable(db: Db, now: Date): Promise<boolean> {
  const source = await findSource(db);
  if (source?.condition !== "following") return false;
  return now.getTime() - source.askedAt.getTime() <= askedWithinMs;
}

type Unsettled = Awaited<ReturnType<typeof listPaymentsToSettle>>[number];

async function settle({ db, config, log }: Context, payment: Unsettled, now: Date): Promise<void> {
  const { paymentId, isSettled } = payment;
  const confirmations = confirmationsNeeded(config.confirmations.BTC, payment);
  try {
    if (isSettled) await takeBackCredit(db, { paymentId, now });
    else if (payment.confirmations >= confirmations) {
      await creditPayment(db, { paymentId, confirmations, now });
    }
  } catch (error) {
    // The console shows it as a payment that waits for staff.
    if (!(error instanceof Refusal)) throw error;
    log.debug({ paymentId, code: error.code }, "a payment cannot be settled");
  }
}
