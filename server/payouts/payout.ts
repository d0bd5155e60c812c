export const payoutStates = ["proposed", "recorded", "refused"] as const;
export type PayoutState = (typeof payoutStates)[number];

/** What a pool says of a day. */
export interface DayOfPool {
  /** A UTC day, YYYY-MM-DD. */
  day: string;
  units: bigint;
  /** The hashrate that the pool saw, on average over the day. */
  deliveredGhs: bigint;
  txid: string | null;
}

/** No pool paid more, or saw more: all bitcoin there will ever be, and a thousand times the network of 2026. */
export const mostUnits = 2_100_000_000_000_000n;
export const mostDeliveredGhs = 1_000_000_000_000_000n;

/** A file of a pool holds at most so much, and so many lines. */
export const statementMaxBytes = 2 * 1024 * 1024;
export const statementMaxLines = 2000;

/** Until somebody sets another limit: a payout above 1 BTC needs two people. */
export const defaultLimitSats = 100_000_000n;

/** What PostgreSQL says of a payout. */
export const payoutRefusals = {
  one_first_payout_per_pool_and_day: "payouts/already-there",
  one_correction_per_payout: "payouts/already-corrected",
  transactions_pay_for_one_pool: "payouts/transaction-of-another-pool",
  payouts_are_not_counted_otherwise: "payouts/counted-otherwise",
  payouts_are_not_credited_to_customers: "payouts/still-credited",
  payouts_rest_on_evidence: "payouts/evidence-missing",
  txids_of_payouts_are_bitcoins: "payouts/not-a-txid",
  payouts_are_of_days_that_are_over: "payouts/day-not-over",
  pools_pay_for_days_that_count: "payouts/day-does-not-count",
  payouts_are_not_below_zero: "payouts/implausible-amount",
  delivered_hashrate_is_plausible: "payouts/implausible-hashrate",
  corrections_are_of_recorded_payouts: "payouts/not-recorded",
  corrections_have_a_reason: "payouts/reason-missing",
  corrected_days_have_their_receipts: "payouts/receipts-taken-out",
  refusals_have_words: "payouts/reason-missing",
  large_payouts_need_two_people: "payouts/second-person-needed",
  shared_transactions_need_two_people: "payouts/second-person-needed",
  who_proposed_is_on_the_staff: "payouts/proposer-left",
  pool_payouts_pool_id_fkey: "payouts/no-such-pool",
  statements_are_of_the_same_pool: "payouts/no-such-statement",
} as const;
