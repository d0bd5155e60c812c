import { refusedBy } from "../platform/refused-by.ts";

/** What PostgreSQL says by a constraint's name, as this room's listed refusals. */
const refusals: Record<string, string> = {
  one_address_in_the_book: "withdrawals/address-known",
  closed_accounts_add_no_address: "withdrawals/account-closed",
  closed_accounts_withdraw_nothing: "withdrawals/account-closed",
  withdrawals_need_a_second_factor: "withdrawals/second-factor-needed",
  frozen_accounts_pay_nothing: "withdrawals/account-frozen",
  money_stays_for_a_day_after_a_change: "withdrawals/money-stays",
  batches_pay_no_frozen_account: "withdrawals/customer-frozen",
  batches_wait_for_a_day_after_a_change: "withdrawals/customer-changed",
  withdrawals_go_to_addresses_of_the_book: "withdrawals/address-not-in-the-book",
  final_payments_belong_to_a_closing: "withdrawals/not-closing",
  links_work_in_their_time: "withdrawals/link-expired",
  holds_come_before_the_batch: "withdrawals/too-late",
  one_hold_at_a_time: "withdrawals/held-already",
  holds_end_within_thirty_days: "withdrawals/hold-too-long",
  one_batch_per_coin: "withdrawals/coins-taken",
  one_batch_of_a_payer_at_a_time: "withdrawals/batch-goes-on",
  one_payment_per_nonce: "withdrawals/node-behind",
  large_batches_need_two_people: "withdrawals/second-person-needed",
  one_ruling_per_payment: "withdrawals/ruled-already",
  rulings_are_about_odd_payments: "withdrawals/not-odd",
  rulings_need_two_people: "withdrawals/own-ruling",
  one_abandonment_per_batch: "withdrawals/abandonment-proposed",
  abandonments_are_about_lost_batches: "withdrawals/not-lost",
  abandonments_need_two_people: "withdrawals/own-abandonment",
  who_proposed_is_on_the_staff: "withdrawals/proposer-left",
  one_scan_at_a_time: "withdrawals/scan-under-way",
};

/** Runs writes whose refusal PostgreSQL speaks, and throws it as ours. */
export function refusing<T>(write: () => PromiseLike<T>): Promise<T> {
  return refusedBy(refusals, write);
}
