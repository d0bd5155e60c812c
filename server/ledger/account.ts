/** Who an account belongs to, on which side it grows, and what it holds. The table ledger_account_kinds holds the same list. */
export const chartOfAccounts = {
  available: { owner: "customer", side: "credit" },
  held: { owner: "customer", side: "credit" },
  custody: { owner: "house", side: "debit" },
  pool_receivable: { owner: "house", side: "credit" },
  rounding: { owner: "house", side: "credit" },
  contract_prepaid: { owner: "house", side: "credit" },
  contract_revenue: { owner: "house", side: "credit" },
  maintenance_revenue: { owner: "house", side: "credit" },
  inactivity_revenue: { owner: "house", side: "credit" },
  withdrawal_fee_revenue: { owner: "house", side: "credit" },
  network_fee_expense: { owner: "house", side: "debit" },
  operator_equity: { owner: "house", side: "credit" },
  operator_drawings: { owner: "house", side: "debit" },
  conversion: { owner: "house", side: "both" },
} as const satisfies Record<
  string,
  { owner: "customer" | "house"; side: "credit" | "debit" | "both" }
>;

export type AccountKind = keyof typeof chartOfAccounts;
export const accountKinds = Object.keys(chartOfAccounts) as AccountKind[];

type OwnedBy<Owner> = {
  [Kind in AccountKind]: (typeof chartOfAccounts)[Kind]["owner"] extends Owner ? Kind : never;
}[AccountKind];
export type CustomerAccount = OwnedBy<"customer">;
export type HouseAccount = OwnedBy<"house">;

/** The owner of the house's accounts, and of transfers that belong to no customer. */
export const houseId = "00000000-0000-0000-0000-000000000000";

export function isCustomerAccount(account: AccountKind): account is CustomerAccount {
  return chartOfAccounts[account].owner === "customer";
}

export const houseAccounts = accountKinds.filter(
  (account): account is HouseAccount => chartOfAccounts[account].owner === "house",
);

/** A credit as the account counts it, and what the account counts as a credit: coins in custody are positive, and so is revenue. */
export function onItsSide(account: AccountKind, units: bigint): bigint {
  return chartOfAccounts[account].side === "debit" ? -units : units;
}
