/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  who_proposed_does_not_decide: "adjustments/own-proposal",
  who_proposed_is_on_the_staff: "adjustments/proposer-left",
  closed_accounts_are_given_nothing: "adjustments/account-closed",
  one_payment_is_counted_once: "adjustments/payment-already-counted",
  batches_book_their_own_fee: "adjustments/batch-books-it",
  one_reversal_per_adjustment: "adjustments/reversal-proposed",
  reversals_take_back_what_was_approved: "adjustments/not-reversible",
};
