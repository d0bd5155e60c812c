/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  hashrate_is_sold_once: "contracts/not-enough-hashrate",
  plans_are_sold_as_far_as_offered: "contracts/not-enough-hashrate",
  contracts_are_what_was_quoted: "contracts/plan-not-offered",
  sales_need_full_coverage: "contracts/sales-stopped",
  nothing_is_bought_while_a_credit_is_taken_back: "contracts/credit-taken-back",
  closed_accounts_buy_nothing: "contracts/account-closed",
  one_person_changes_a_fee_by_half: "contracts/second-person-needed",
  later_changes_are_taken_back_first: "contracts/change-below-another",
  no_fee_rises_at_short_notice: "contracts/short-notice",
  changes_of_fees_name_no_address: "contracts/reason-names-address",
  changes_are_announced_seven_days_ahead: "contracts/too-early",
  one_change_per_version_and_day: "contracts/day-taken",
  changed_maintenance_is_plausible: "contracts/implausible-maintenance",
  changes_have_a_reason: "contracts/reason-missing",
  changes_are_taken_back_in_time: "contracts/change-in-force",
};
