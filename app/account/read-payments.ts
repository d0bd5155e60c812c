import type { App } from "#server/app-context.ts";
import { confirmationsNeeded } from "#server/chain/payment.ts";
import { findSource } from "#server/chain/queries.ts";
import { type CustomerPayment, listPayments } from "#server/deposits/queries.ts";

/** A payment with the number of confirmations that it waits for. */
export type ShownPayment = CustomerPayment & { needed: number };

/** A customer's payments on chain that are on their way; null: nobody watches the chain. */
export async function readPayments({ db, config, now }: App, customerId: string) {
  if (!config.bitcoinChain) return null;
  const [payments, source] = await Promise.all([
    listPayments(db, { customerId, now: now() }),
    findSource(db),
  ]);
  return {
    payments: payments.map((payment) => withNeeded(config, payment)),
    /** Whether what the chain says can be used at this moment: nothing is credited otherwise. */
    isFollowed: source?.condition === "following" || source?.condition === "catching-up",
    steps: config.confirmations.BTC,
  };
}
export type PaymentsOnChain = NonNullable<Awaited<ReturnType<typeof readPayments>>>;

export function withNeeded(
  { confirmations }: App["config"],
  payment: CustomerPayment,
): ShownPayment {
  return { ...payment, needed: confirmationsNeeded(confirmations.BTC, payment) };
}
