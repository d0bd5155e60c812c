import type { Coin } from "#core/asset.ts";
import { formatAmount, formatUsd } from "#core/money.ts";
import { levelLimits } from "#core/verification-levels.ts";
import { smallestPayment, withdrawalTerms } from "#core/withdrawal.ts";

/** Why nothing was asked for, in words; where it belongs to a field, which. */
interface Words {
  field?: "address" | "label" | "addressId" | "amount";
  text: string;
  status: number;
}

const wordsOf = (coin: Coin, minimumUnits: bigint): Record<string, Words> => ({
  "withdrawals/bad-address": {
    field: "address",
    text: "Nobody could spend what is paid to this address. Copy it from your wallet as a whole.",
    status: 400,
  },
  "withdrawals/own-address": {
    field: "address",
    text: "This is an address of this site itself. Enter an address of a wallet of your own.",
    status: 400,
  },
  "withdrawals/label-missing": {
    field: "label",
    text: "Give it a name of at most 60 characters",
    status: 400,
  },
  "withdrawals/book-full": {
    field: "address",
    text: `The book holds ${withdrawalTerms.addressesMax} addresses. Remove one first.`,
    status: 409,
  },
  "withdrawals/no-such-address": {
    field: "addressId",
    text: "This address is not in your book any more. Choose another one.",
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
        ? `Less than ${formatAmount(smallestPayment.BTC, "BTC")} BTC cannot be sent on the chain, by anybody. While you close the account you can leave them to the operator, on the page where you asked for that; or keep the account until there is more.`
        : `Less than ${formatAmount(smallestPayment[coin], coin)} ${coin} cannot be sent on the chain. Write to us: we find a way.`,
    status: 400,
  },
  "ledger/insufficient-balance": {
    field: "amount",
    text: "Your available balance does not cover this amount. Nothing was taken.",
    status: 409,
  },
  "withdrawals/above-level": {
    field: "amount",
    text: `Until you are verified, at most ${formatUsd(levelLimits.resident.withdrawalsUsdCents ?? 0n)} within 30 days. Verify yourself, or ask for less.`,
    status: 403,
  },
  "withdrawals/no-price": {
    text: "We have no current price of this coin, so we cannot tell whether this is within your limit. Nothing was withdrawn. Try again in some minutes. Who is verified has no limit and need not wait.",
    status: 503,
  },
  "withdrawals/second-factor-needed": {
    text: "Set up a second factor first, on the page Security.",
    status: 403,
  },
  "withdrawals/money-stays": {
    text: "A way into your account was changed lately, so money stays for 24 hours. Nothing was taken.",
    status: 403,
  },
  "withdrawals/account-frozen": { text: "Your account is frozen. Nothing was taken.", status: 403 },
  "withdrawals/account-closed": { text: "This account is closed.", status: 403 },
  "withdrawals/not-closing": {
    text: "The final payment belongs to an account that is being closed. Nothing was taken.",
    status: 409,
  },
  "withdrawals/request-key-reused": {
    text: "This form was sent already with other content, and that withdrawal stands in the table below. If this is another one, send it again.",
    status: 409,
  },
  "verification/residence-unknown": {
    text: "Say first in which country you live.",
    status: 403,
  },
  "verification/residence-refused": {
    text: "The service is not available to residents of the country that you stated.",
    status: 403,
  },
  "withdrawals/not-offered": {
    text: `${coin} cannot be withdrawn here at the moment. It stays in your balance.`,
    status: 409,
  },
});

export function refusalWords(
  code: string,
  { coin, minimumUnits }: { coin: Coin; minimumUnits: bigint },
): Words | undefined {
  return wordsOf(coin, minimumUnits)[code];
}
