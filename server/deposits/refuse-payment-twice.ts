import { Refusal } from "#core/refusal.ts";

/** Runs a write that names a payment, and says so when the database knows the payment already. */
export async function refusePaymentTwice<T>(write: () => PromiseLike<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if ("constraint" in cause && cause.constraint === "one_deposit_per_payment") {
        throw new Refusal("deposits/payment-already-credited");
      }
    }
    throw error;
  }
}
