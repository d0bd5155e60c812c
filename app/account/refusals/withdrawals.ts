import { conflict, notFound, type Texts } from "#app/run-act.ts";
import type { Coin } from "#core/asset.ts";
import { formatAmount, formatUsd } from "#core/money.ts";
import { smallestPayment, withdrawalTerms } from "#core/payments/withdrawal.ts";
import { tierLimits } from "#core/people/kyc-tiers.ts";

const tooMany = {
  text: "Too many new addresses or withdrawals in a short time. Nothing was done. Please try again in an hour, or tomorrow.",
  status: 429,
};

const refused = (text: string) => ({ text, status: 403 });

const ofAnyCoin: Texts = {
  "kyc/residence-unknown": {
    text: "First, tell us which country you live in.",
    status: 403,
  },
  "kyc/residence-refused": {
    text: "The service is not available to residents of the country you declared.",
    status: 403,
  },
  "withdrawals/address-refused-ether": refused(
    "The contract at this address refused ether that we sent before. Nothing was withdrawn. Withdraw to another address.",
  ),
  "withdrawals/account-frozen": refused("Your account is frozen. Nothing was withdrawn."),
  "withdrawals/account-closed": { text: "This account is closed.", status: 403 },
};

/** Why an address was not added, or nothing withdrawn. */
export const withdrawals = (coin: Coin, minimumUnits: bigint): Texts => ({
  "withdrawals/bad-address": {
    field: "address",
    text: "This address is not valid. Copy the whole address from your wallet.",
    status: 400,
  },
  "withdrawals/own-address": {
    field: "address",
    text: "This is one of our addresses. Enter an address of your own wallet.",
    status: 400,
  },
  "withdrawals/label-missing": {
    field: "label",
    text: "Give it a name of at most 60 characters",
    status: 400,
  },
  "withdrawals/book-full": {
    field: "address",
    text: `Your book has ${withdrawalTerms.addressesMax} addresses, the most it can have. Remove one first.`,
    status: 409,
  },
  "withdrawals/no-such-address": {
    field: "addressId",
    text: "This address is no longer in your book. Choose another one.",
    status: 409,
  },
  "withdrawals/address-not-in-the-book": {
    field: "addressId",
    text: "This address is not in your book any more. Choose another one.",
    status: 409,
  },
  "withdrawals/address-known": {
    field: "address",
    text: "This address is in your book already.",
    status: 409,
  },
  "withdrawals/below-minimum": {
    field: "amount",
    text: `The minimum is ${formatAmount(minimumUnits, coin)} ${coin}`,
    status: 400,
  },
  "withdrawals/too-small-to-send": {
    field: "amount",
    text:
      coin === "BTC"
        ? `Less than ${formatAmount(smallestPayment.BTC, "BTC")} BTC cannot be sent on the network. While you close the account you can give it up, on the page where you closed it, or keep the account until there is more.`
        : `Less than ${formatAmount(smallestPayment[coin], coin)} ${coin} cannot be sent on the network. Please write to us.`,
    status: 400,
  },
  "ledger/insufficient-balance": {
    field: "amount",
    text: "Your available balance does not cover this amount. Nothing was withdrawn.",
    status: 409,
  },
  "withdrawals/above-tier": {
    field: "amount",
    text: `Until you are verified, at most ${formatUsd(tierLimits.resident.withdrawalsUsdCents ?? 0n)} within 30 days. Verify your identity, or request less.`,
    status: 403,
  },
  "withdrawals/no-price": {
    text: "We have no current price of this coin, so we cannot tell whether this is within your limit. Nothing was withdrawn. Please try again in a few minutes. Verified customers have no limit and do not have to wait.",
    status: 503,
  },
  "withdrawals/mfa-needed": {
    text: "Withdrawals need two-factor authentication. Set it up on the page Security.",
    status: 403,
  },
  "withdrawals/money-stays": refused(
    "Your sign-in details changed, so withdrawals are paused for 24 hours. Nothing was withdrawn.",
  ),
  "withdrawals/credit-taken-back": refused(
    `We have to take back a credit of ${coin} from your account. Until that is done no ${coin} can be withdrawn. The page of that deposit says why. Nothing was withdrawn.`,
  ),
  ...ofAnyCoin,
  "withdrawals/not-closing": conflict(
    "We make a final payment only when you close the account. Nothing was withdrawn.",
  ),
  "withdrawals/final-lately": conflict(
    `You requested a final payment of ${coin} in the last ${withdrawalTerms.finalPaymentDays} days, and each coin has one in that time. Nothing was withdrawn.`,
  ),
  "platform/too-many-attempts": tooMany,
  "withdrawals/request-key-reused": conflict(
    "You already submitted this form with different details. That withdrawal is in the table below. If this is another one, submit it again.",
  ),
  "withdrawals/not-offered": conflict(
    `${coin} cannot be withdrawn here at the moment. It stays in your balance.`,
  ),
});

/** Why a withdrawal was not cancelled. */
export const cancelling: Texts = {
  "withdrawals/not-found": notFound,
  "withdrawals/too-late": conflict("It is already in a batch, so you can no longer cancel it."),
};
