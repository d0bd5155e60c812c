import { decimals } from "#core/asset.ts";
import { formatUsd, parseAmount } from "#core/money.ts";
import {
  coinOfMethod,
  type DepositMethod,
  maxDepositUnits,
  maxDepositUsdCents,
  parseTxid,
} from "#core/payments/deposit.ts";
import { z } from "#core/zod.ts";
import { parsed } from "../parts/parsed-text.ts";

/** The form of an approval, for a deposit that came by one method: what arrived, by which payment, worth what. */
export function approvalSchema(method: DepositMethod) {
  const coin = coinOfMethod[method];
  const places = decimals[coin];
  const shape = method === "Bitcoin" ? "64 hexadecimal digits" : "0x and 64 hexadecimal digits";
  return z.object({
    quantity: parsed(
      "Enter how much arrived",
      (text) => within(parseAmount(text, coin), maxDepositUnits[coin]),
      `A quantity of ${coin} above zero, with at most ${places} decimals`,
    ),
    txid: parsed(
      "Enter the transaction that paid",
      (text) => parseTxid(text, method),
      `A transaction id on ${method === "Bitcoin" ? "Bitcoin" : "Ethereum"} is ${shape}`,
    ),
    outputIndex: z.optional(
      parsed("", readOutput, "The number of an output counts from 0, or leave it empty"),
    ),
    usd: z.optional(
      parsed(
        "",
        (text) => within(parseAmount(text, "USD"), maxDepositUsdCents),
        `US dollars and cents, at most ${formatUsd(maxDepositUsdCents)}, or leave it empty`,
      ),
    ),
  });
}

function within(amount: bigint | null, most: bigint): bigint | null {
  return amount !== null && amount > 0n && amount <= most ? amount : null;
}

function readOutput(text: string): number | null {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
}
