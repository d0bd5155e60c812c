import { parseThs } from "#core/mining/hashrate.ts";
import { poolFormats } from "#core/mining/pool-formats.ts";
import { parseTxid } from "#core/payments/deposit.ts";
import { z } from "#core/zod.ts";
import { btc, day, hashrate, id, words } from "../parts/fields.ts";
import { parsed } from "../parts/parsed-text.ts";

const txid = (missing: string) =>
  parsed(missing, (text) => parseTxid(text, "Bitcoin"), "64 hexadecimal digits");

export const payoutSchema = z.object({
  payoutId: id,
  poolId: id,
  day: day("For which day?"),
  amount: btc("What did the pool pay?"),
  delivered: hashrate("What hashrate did the pool see?"),
  txid: z.optional(txid("")),
});

export const correctionSchema = z.object({
  payoutId: id,
  amount: btc("What did the pool pay in truth?"),
  delivered: parsed("What hashrate did it see?", parseThs, "Write TH/s with at most 3 decimals"),
  txid: z.optional(txid("")),
  reason: words("Write why, as customers read it on their receipts", 500),
});

export const confirmSchema = z.object({
  unseenReason: z.optional(words("Write why", 300)),
});

export const refusalSchema = z.object({ reason: words("Write the reason", 500) });

export const poolSchema = z.object({
  name: words("Write a name", 100),
  format: z.enum(poolFormats, "Choose one"),
  countsFrom: day("From which day?"),
});

export const stopSchema = z.object({
  poolId: id,
  countsUntil: day("Which was the last day?"),
  reason: words("Write the reason", 300),
});

export const addressSchema = z.object({ address: words("Which address?", 100) });

/** Empty: none any more. */
export const watchSchema = z.object({ url: z.optional(words("Which page?", 500)) });

export const limitSchema = z.object({ limit: btc("Above what amount?") });
