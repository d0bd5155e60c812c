import type { Coin } from "./asset.ts";

/**
 * What the service does today, and what it does not. Terms and pages say it in the same words. Where an operator's
 * configuration decides, the terms say only that: a text of law must not change with it.
 */
export const offered = [
  { part: "Account, sign-in, verified e-mail address", today: "Offered" },
  { part: "Deposits of Bitcoin", today: "Offered" },
  { part: "Deposits of Ether and USDT", today: "Differs by site: see Services" },
  { part: "Balances, the ledger and the evidence behind a figure", today: "Offered" },
  { part: "Market prices, for information", today: "Offered" },
  { part: "Identity verification", today: "Offered" },
  { part: "Mining contracts, plans and a calculator", today: "Offered" },
  { part: "Withdrawals of Bitcoin", today: "Offered" },
  { part: "Withdrawals of Ether and USDT", today: "Differs by site: see Services" },
  { part: "Statements as PDF, CSV and JSON, with a code that anyone can check", today: "Offered" },
  {
    part: "Wallet balances counted by two staff members and compared with our records",
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

/** The same for this site, as it is configured: whether it takes Ether and USDT, and pays them out. */
export function offeredHere(
  taken: readonly Coin[],
  withdrawn: readonly Coin[],
): Array<{ part: string; today: string }> {
  const coinsOf: Record<string, readonly Coin[]> = {
    "Deposits of Ether and USDT": taken,
    "Withdrawals of Ether and USDT": withdrawn,
  };
  return offered.flatMap(({ part, today }) => {
    const coins = coinsOf[part];
    if (coins === undefined) return [{ part, today }];
    return taken.length > 1 ? [{ part, today: etherAndUsdt(coins) }] : [];
  });
}

function etherAndUsdt(coins: readonly Coin[]): string {
  if (coins.includes("USDT") && coins.includes("ETH")) return "Offered";
  if (coins.includes("ETH")) return "Ether offered, USDT not offered here";
  return coins.includes("USDT") ? "USDT offered, Ether not offered here" : "Not offered here";
}

/** Whether a part of the service is there today. */
export function isOffered(part: (typeof offered)[number]["part"]): boolean {
  return offered.some((each) => each.part === part && each.today === "Offered");
}
