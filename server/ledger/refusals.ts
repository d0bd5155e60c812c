/** What PostgreSQL declines by a constraint's name, as this room's refusals. */
export const refusals = {
  customers_never_below_zero: "ledger/insufficient-balance",
  equity_never_below_zero: "ledger/insufficient-equity",
  customers_coins_are_covered: "ledger/customers-not-covered",
  one_transfer_per_key: "ledger/key-reused",
  one_reversal_per_transfer: "ledger/already-reversed",
  a_reversal_needs_a_transfer: "ledger/unknown-transfer",
  a_reversal_mirrors_its_transfer: "ledger/not-reversible",
  transfers_sum_to_zero: "ledger/unbalanced",
  a_transfer_has_two_sides: "ledger/too-few-legs",
  an_entry_moves_something: "ledger/empty-leg",
  legs_stand_in_order: "ledger/repeated-leg",
  movements_are_listed: "ledger/unlisted-movement",
  accounts_are_in_the_chart: "ledger/unknown-account",
  an_account_holds_a_coin: "ledger/unknown-asset",
};
