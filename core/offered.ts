import type { Coin } from "./asset.ts";

/**
 * What the service does today, and what it does not. Terms and pages say it in the same words. Where an operator's
 * configuration decides, the terms say only that: a text of law must not change with it.
 */
export const offered = [
  { part: "Account, sign-in, verified e-mail address", today: "Offered" },
  { part: "Deposits in Bitcoin, Ethereum and USDT", today: "Offered" },
  { part: "Balances, the journal and the evidence behind a figure", today: "Offered" },
  { part: "Market prices, for information", today: "Offered" },
  { part: "Identity verification", today: "Offered" },
  { part: "Mining contracts, plans and a calculator", today: "Offered" },
  { part: "Withdrawals of Bitcoin", today: "Offered" },
  { part: "Withdrawals of Ether and USDT", today: "Differs by site: see Services" },
  { part: "Statements as PDF, CSV and JSON, with a code that anybody can check", today: "Offered" },
  {
    part: "What was counted in the operator's wallets, by two of his people, beside the journal",
    today: "Offered",
  },
  { part: "Conversion between coins", today: "Not offered yet" },
  { part: "Public proof of reserves", today: "Not offered yet" },
  { part: "Purchases by card", today: "Not offered" },
  {
    part: "Stock trading, leverage, lending, a referral programme",
    today: "Not offered, and not planned",
  },
] as const;

/** The same for this site, as its operator has configured it: of Ether and USDT what he can pay out. */
export function offeredHere(withdrawn: readonly Coin[]): Array<{ part: string; today: string }> {
  return offered.map(({ part, today }) =>
    part === "Withdrawals of Ether and USDT"
      ? { part, today: etherAndUsdt(withdrawn) }
      : { part, today },
  );
}

function etherAndUsdt(withdrawn: readonly Coin[]): string {
  if (withdrawn.includes("USDT") && withdrawn.includes("ETH")) return "Offered";
  return withdrawn.includes("ETH") ? "Ether offered, USDT not offered here" : "Not offered here";
}

/** Whether a part of the service is there today. */
export function isOffered(part: (typeof offered)[number]["part"]): boolean {
  return offered.some((each) => each.part === part && each.today === "Offered");
}
