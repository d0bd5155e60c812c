/** Why nothing was bought, in words; where it belongs to a field, which. */
interface Words {
  field?: "plan" | "quantity" | "coin" | "accepted";
  text: string;
  status: number;
}

const words: Record<string, Words> = {
  "contracts/plan-not-offered": {
    field: "plan",
    text: "This plan is not offered any more. Nothing was taken.",
    status: 409,
  },
  "contracts/sales-stopped": {
    text: "Nothing is sold at the moment: our wallets were counted, and less lies in them than our books say. Nothing was taken. Your balance can be withdrawn as always.",
    status: 503,
  },
  "contracts/too-many-units": {
    field: "quantity",
    text: "A whole number of units, at least 1 and not more than the plan sells in one purchase.",
    status: 400,
  },
  "contracts/not-enough-hashrate": {
    field: "quantity",
    text: "There is not enough free hashrate for so many units, somebody may have been quicker. Nothing was taken.",
    status: 409,
  },
  "contracts/no-such-coin": { field: "coin", text: "Choose a coin of the list.", status: 400 },
  "contracts/terms-changed": {
    field: "accepted",
    text: "The terms have changed since this page was opened. Read the version below; nothing was taken.",
    status: 409,
  },
  "contracts/kept": {
    text: "This contract can no longer be given back.",
    status: 409,
  },
  "ledger/insufficient-balance": {
    field: "coin",
    text: "Your balance of this coin does not cover the price. Nothing was taken. Make a deposit, choose fewer units or another coin.",
    status: 409,
  },
  "markets/price-too-old": {
    field: "coin",
    text: "There is no fresh price of this coin at the moment, so nothing can be quoted in it. Try again in some minutes, or choose another coin.",
    status: 503,
  },
  "verification/residence-unknown": {
    text: "Say first which country you live in.",
    status: 409,
  },
  "verification/residence-refused": {
    text: "The service is not available to residents of the country that you stated. Nothing was taken.",
    status: 403,
  },
  "contracts/above-level": {
    field: "quantity",
    text: "With this your running contracts would cost more together than your level of verification allows. The page Verification says how much, and how to prove who you are. Nothing was taken.",
    status: 403,
  },
  "identity/account-frozen": {
    text: "Your account is frozen: nothing can be bought until staff have opened it again.",
    status: 403,
  },
  "contracts/account-closed": { text: "Your account is closed.", status: 403 },
  "platform/too-many-attempts": {
    text: "That were many prices in a short time. Wait some minutes, then ask again.",
    status: 429,
  },
};

/** What a refusal says on the page; undefined when it is about something else. */
export function refusalWords(code: string): Words | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
