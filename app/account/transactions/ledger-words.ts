import type { AccountKind } from "#server/ledger/account.ts";
import type { TransferKind } from "#server/ledger/transfer.ts";

/** What each kind of transfer is called on a customer's page. */
export const kindInWords: Record<TransferKind, string> = {
  deposit: "Deposit credited",
  "contract-purchase": "Contract bought",
  "contract-day": "One day of a contract served",
  "pool-payout": "Pool payout recorded",
  "mining-credit": "Mining credit",
  "rounding-carry": "Remainder carried over",
  "maintenance-fee": "Maintenance fee",
  "inactivity-fee": "Inactivity fee",
  hold: "Placed on hold",
  "hold-release": "Hold ended",
  "withdrawal-request": "Withdrawal requested",
  "withdrawal-sent": "Withdrawal sent",
  "withdrawal-cancelled": "Withdrawal cancelled",
  "network-fee": "Network fee",
  conversion: "Conversion",
  goodwill: "Goodwill from the operator",
  subsidy: "Subsidy from the operator",
  "equity-funding": "Operator's own money paid in",
  "equity-drawing": "Operator's own money taken out",
  "wallet-transfer": "Coins moved between the operator's wallets",
  "remainder-left": "Left to the operator on leaving",
  "contract-refund": "Contract price paid back",
  "contract-forfeit": "Price of a cancelled contract kept",
  "operator-share": "The operator's own share of a payout",
  "mining-correction": "Correction of mining credits",
  reversal: "Correction of an earlier transfer",
};

/** What each account is called on a customer's page. */
export const accountInWords: Record<AccountKind, string> = {
  available: "Your available balance",
  held: "Your held balance",
  custody: "Coins in custody for customers",
  pool_receivable: "Pool payout not yet distributed",
  rounding: "Remainders carried to the next run",
  contract_prepaid: "Contract price not yet earned",
  contract_revenue: "Operator: contract income",
  maintenance_revenue: "Operator: maintenance income",
  inactivity_revenue: "Operator: inactivity income",
  withdrawal_fee_revenue: "Operator: withdrawal fees",
  network_fee_expense: "Operator: network fees paid",
  operator_equity: "Operator's own money",
  operator_drawings: "Operator: own money taken out",
  conversion: "Conversion",
};
