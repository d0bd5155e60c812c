import type { Resolution } from "#core/payments/payment-resolution.ts";

export const resolutionWords: Record<Resolution, string> = {
  customers: "It is the customer's: credit it",
  operators: "It was the operator's own",
  "set-aside": "Set it aside: it is not credited",
  mistaken: "Approved by mistake: reverse the deposit",
};

const words: Record<string, string> = {
  "deposits/account-closed": "The customer's account is closed",
  "deposits/payment-already-credited":
    "Its transaction is counted already, as another deposit, a payout or own money",
  "deposits/may-be-the-operators":
    "A payout or own money of the same transaction and amount, or a move between own wallets by it, is recorded",
  "deposits/internal-payment":
    "A contract sent it, which the node says and no header proves, and with the rest of the day it is more than ETHEREUM_INTERNAL_LIMIT",
  "deposits/coins-were-used": "The customer has used coins of it",
  "deposits/unexpected-error": "An error that we did not expect: see the log",
};

/** Why a payment could not be settled. */
export function refusalWords(code: string): string {
  return words[code] ?? code;
}
