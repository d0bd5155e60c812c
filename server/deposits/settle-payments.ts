import { Refusal } from "#core/refusal.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { confirmationsNeeded, isConfirmed } from "../chain/payment.ts";
import { findSource, listPaymentsToSettle } from "../chain/queries.ts";
import type { Config } from "../platform/config.ts";
import type { Db } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import { creditPayment } from "./credit-payment.ts";
import { listLostPayments, listReturnedPayments } from "./queries.ts";
import { keepCredit, takeBackCredit } from "./take-back-credit.ts";
import { valueDeposits } from "./value-deposits.ts";

const chains: WalletChain[] = ["bitcoin", "ethereum"];
const atOnce = 500;
/** A source that was not asked for so long may have left the chain that we know. */
const askedWithinMs = 15 * 60_000;

interface Context {
  db: Db;
  config: Pick<Config, "confirmations">;
  log: Log;
}

/**
 * Brings the journal to what the chains say: credits payments that have their confirmations, takes back what left the
 * chain, and values what had no price. While a chain's source cannot be used, nothing of it is credited or taken back. Each
 * payment is a transaction of its own: one that cannot be settled holds up no other.
 */
export async function settlePayments(context: Context, now: Date): Promise<void> {
  const { db } = context;
  for (const chain of chains) {
    if (!(await isUsable(db, chain, now))) continue;
    for (const { paymentId } of await listReturnedPayments(db, chain)) {
      await keepCredit(db, { paymentId, now });
    }
    for (const payment of await listPaymentsToSettle(db, chain, atOnce)) {
      await settle(context, payment, now);
    }
    for (const { paymentId } of await listLostPayments(db, chain)) {
      await takeBackCredit(db, { paymentId, now });
    }
  }
  await valueDeposits(db, now);
}

async function isUsable(db: Db, chain: WalletChain, now: Date): Promise<boolean> {
  const source = await findSource(db, chain);
  if (source?.condition !== "following") return false;
  return now.getTime() - source.askedAt.getTime() <= askedWithinMs;
}

type Unsettled = Awaited<ReturnType<typeof listPaymentsToSettle>>[number];

async function settle({ db, config, log }: Context, payment: Unsettled, now: Date): Promise<void> {
  const { paymentId, isSettled } = payment;
  const needed = confirmationsNeeded(config.confirmations[payment.asset], payment);
  try {
    if (isSettled) await takeBackCredit(db, { paymentId, now });
    else if (isConfirmed(payment, needed)) await creditPayment(db, { paymentId, needed, now });
  } catch (error) {
    // The console shows it as a payment that waits for staff.
    if (!(error instanceof Refusal)) throw error;
    log.debug({ paymentId, code: error.code }, "a payment cannot be settled");
  }
}
