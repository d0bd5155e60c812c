/** What PostgreSQL declines of a claim by a constraint's name. */
export const refusals = {
  claims_wait_for_review: "deposits/too-many-waiting",
  closed_accounts_make_no_deposits: "deposits/account-closed",
};
