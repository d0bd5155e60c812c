import { refusedBy } from "../platform/refused-by.ts";

/** Runs a write that names a payment, and says so when the database knows the payment already. */
export function refusePaymentTwice<T>(write: () => PromiseLike<T>): Promise<T> {
  return refusedBy(
    {
      one_deposit_per_payment: "deposits/payment-already-credited",
      one_credit_per_payment: "deposits/payment-already-credited",
      payments_are_credited_or_the_operators: "deposits/may-be-the-operators",
      slips_are_what_the_chain_shows: "deposits/not-what-the-chain-shows",
      closed_accounts_make_no_deposits: "deposits/account-closed",
    },
    write,
  );
}
