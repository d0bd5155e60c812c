import { conflict, type Texts } from "#app/run-act.ts";
import { formatUsd } from "#core/money.ts";
import { tierLimits } from "#core/people/kyc-tiers.ts";

/** Why nothing was quoted, bought or refunded. */
export const contracts: Texts = {
  "contracts/plan-not-offered": {
    field: "plan",
    text: "This plan is no longer offered. You were not charged.",
    status: 409,
  },
  "contracts/sales-stopped": {
    text: "Sales are paused: we cannot show that everything we owe to customers is there. You were not charged. You can withdraw your balance as always.",
    status: 503,
  },
  "contracts/too-many-units": {
    field: "quantity",
    text: "A whole number of units, at least 1 and not more than the plan sells in one purchase.",
    status: 400,
  },
  "contracts/not-enough-hashrate": {
    field: "quantity",
    text: "There is not enough free hashrate for so many units. You were not charged. Choose fewer units, or try again later.",
    status: 409,
  },
  "contracts/no-such-coin": { field: "coin", text: "Choose a coin from the list.", status: 400 },
  "contracts/terms-changed": {
    field: "accepted",
    text: "The terms have changed since you opened this page. You were not charged. Please read the new version and tick the box.",
    status: 409,
  },
  "contracts/first-day-changed": conflict(
    "The first day of this contract has changed since you opened this page. Your right to a refund may have changed with it. You were not charged. Please read this page again before you buy.",
  ),
  "contracts/kept": conflict("This contract can no longer be refunded."),
  "ledger/insufficient-balance": {
    field: "coin",
    text: "Your balance of this coin does not cover the price. You were not charged. Make a deposit, or choose fewer units or another coin.",
    status: 409,
  },
  "markets/price-too-old": {
    field: "coin",
    text: "We have no current price of this coin, so we cannot quote one. Please try again in a few minutes, or choose another coin.",
    status: 503,
  },
  "markets/sources-disagree": {
    field: "coin",
    text: "The exchanges disagree about the price of this coin at the moment, so we cannot quote one. Please try again in a minute, or choose another coin.",
    status: 503,
  },
  "kyc/residence-unknown": conflict("First, tell us which country you live in."),
  "kyc/residence-refused": {
    text: "The service is not available to residents of the country you declared. You were not charged.",
    status: 403,
  },
  "contracts/above-tier": {
    field: "quantity",
    text: `Until you are verified, your running contracts can cost at most ${formatUsd(tierLimits.resident.contractsUsdCents ?? 0n)} together. You were not charged. Verify your identity on the page Verification, or choose fewer units.`,
    status: 403,
  },
  "identity/account-frozen": {
    text: "Your account is frozen. You cannot buy until our staff have opened it again.",
    status: 403,
  },
  "contracts/credit-taken-back": {
    field: "coin",
    text: "We have to take back a credit of this coin from your account. Until that is done nothing can be bought with it. The page of that deposit says why. You were not charged.",
    status: 403,
  },
  "contracts/account-closed": { text: "Your account is closed.", status: 403 },
  "platform/too-many-attempts": {
    text: "Too many quotes in a short time. Please try again in a few minutes.",
    status: 429,
  },
};
