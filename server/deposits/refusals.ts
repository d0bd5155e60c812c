/** What PostgreSQL declines of a deposit and its payment by a constraint's name. */
export const refusals = {
  one_deposit_per_payment: "deposits/payment-already-credited",
  one_credit_per_payment: "deposits/payment-already-credited",
  payments_are_credited_or_the_operators: "deposits/may-be-the-operators",
  slips_are_what_the_chain_shows: "deposits/not-what-the-chain-shows",
  closed_accounts_make_no_deposits: "deposits/account-closed",
  large_slips_need_two_people: "deposits/second-person-needed",
  who_is_alone_has_no_colleague: "deposits/second-person-needed",
  proposed_approvals_are_decided_first: "deposits/approval-proposed",
  one_approval_of_a_deposit: "deposits/approval-proposed",
  approvals_are_of_what_waits: "deposits/already-reviewed",
  approvals_need_two_people: "deposits/own-approval",
  who_proposed_is_on_the_staff: "deposits/proposer-left",
};

/** What it declines of a resolution, where the same constraint can say something else. */
export const resolutionRefusals = {
  one_resolution_of_a_payment: "deposits/resolved-already",
  one_resolution_of_a_deposit: "deposits/resolved-already",
  mistakes_are_about_approvals: "deposits/not-approved-by-staff",
  deposits_are_reviewed_once: "deposits/not-approved-by-staff",
  credited_payments_can_only_be_the_operators: "deposits/credited-already",
  coins_that_cover_payouts_stay_the_pools: "deposits/covers-a-payout",
  payments_of_one_approval_are_not_parted: "deposits/approved-together",
  payment_resolutions_need_two_people: "deposits/own-resolution",
  who_proposed_is_on_the_staff: "deposits/proposer-left",
};
