import { Refusal } from "#core/refusal.ts";

/** What PostgreSQL says by a constraint's name, as this room's listed refusals. */
const refusalByConstraint: Record<string, string> = {
  who_proposed_does_not_decide: "adjustments/own-proposal",
  who_proposed_is_on_the_staff: "adjustments/proposer-left",
  closed_accounts_are_given_nothing: "adjustments/account-closed",
  one_payment_is_counted_once: "adjustments/payment-already-counted",
  batches_book_their_own_fee: "adjustments/batch-books-it",
  one_reversal_per_adjustment: "adjustments/reversal-proposed",
  reversals_take_back_what_was_approved: "adjustments/not-reversible",
};

/** Runs writes whose refusal PostgreSQL speaks, and throws it as ours. */
export async function refusing<T>(write: () => PromiseLike<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      const constraint = "constraint" in cause ? cause.constraint : undefined;
      const code = typeof constraint === "string" ? refusalByConstraint[constraint] : undefined;
      if (code) throw new Refusal(code);
    }
    throw error;
  }
}
