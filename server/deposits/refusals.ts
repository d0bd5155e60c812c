/** What PostgreSQL declines of a deposit and its payment by a constraint's name. */
export const refusals = {
  one_deposit_per_payment: "deposits/payment-already-credited",
  one_credit_per_payment: "deposits/payment-already-credited",
  payments_are_credited_or_the_operators: "deposits/may-be-the-operators",
  slips_are_what_the_chain_shows: "deposits/not-what-the-chain-shows",
  closed_accounts_make_no_deposits: "deposits/account-closed",
};

/** What it declines of a ruling, where the same constraint can say something else. */
export const rulingRefusals = {
  one_ruling_of_a_payment: "deposits/ruled-already",
  one_ruling_of_a_deposit: "deposits/ruled-already",
  mistakes_are_about_approvals: "deposits/not-approved-by-staff",
  deposits_are_reviewed_once: "deposits/not-approved-by-staff",
  credited_payments_can_only_be_the_operators: "deposits/credited-already",
  payments_of_one_approval_are_not_parted: "deposits/approved-together",
  payment_rulings_need_two_people: "deposits/own-ruling",
  who_proposed_is_on_the_staff: "deposits/proposer-left",
};
