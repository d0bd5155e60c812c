import { type Coin, coins } from "#core/asset.ts";
import { oldPage } from "#core/form-fields.ts";
import { parseAmount } from "#core/money.ts";
import {
  adjustmentNoteMax,
  adjustmentReasonMax,
  feeCoinOf,
  giftKinds,
  maxAdjustmentUnits,
} from "#core/payments/adjustments.ts";
import { parseTxid } from "#core/payments/deposit.ts";
import { z } from "#core/zod.ts";
import { withoutNul } from "../parts/parsed-text.ts";

const words = (missing: string, most: number) =>
  z
    .string(missing)
    .check(
      z.overwrite(withoutNul),
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(most, `At most ${most} characters`),
    );

const shared = {
  submissionKey: z.uuid(oldPage),
  coin: z.enum(coins, "Choose a coin"),
  amount: z.string("Enter the amount"),
  reason: words("Write the reason", adjustmentReasonMax),
  note: z._default(
    z
      .string()
      .check(
        z.overwrite(withoutNul),
        z.trim(),
        z.maxLength(adjustmentNoteMax, `At most ${adjustmentNoteMax} characters`),
      ),
    "",
  ),
  evidenceId: z.optional(z.uuid("Choose the file again")),
  /** The file itself, in the browser alone: the server knows it by its draft. */
  evidence: z.optional(z.any()),
};

/** Said together with the other fields, and not once they are right. */
const showsWhy = (error: string) =>
  z.refine<{ evidenceId?: string | undefined; evidence?: unknown }>(
    ({ evidenceId, evidence }) => Boolean(evidenceId || evidence),
    {
      path: ["evidence"],
      error,
      when: ({ value }) => typeof value === "object" && value !== null,
    },
  );

/** The amount is read in its coin, and said to be wrong together with the other fields. */
const amountFits = z.refine<{ coin: Coin; amount: string }>(
  ({ coin, amount }) => unitsOf(coin, amount) !== null,
  {
    path: ["amount"],
    error: "An amount above zero, with no more decimals than the coin has",
    when: ({ value }) => {
      const form = value as { coin?: unknown; amount?: unknown } | null;
      return typeof form?.amount === "string" && coins.some((coin) => coin === form.coin);
    },
  },
);

const txidFits = z.refine<{ coin: Coin; txid: string }>(
  ({ coin, txid }) => parseTxid(txid, coin === "BTC" ? "Bitcoin" : "Ethereum") !== null,
  {
    path: ["txid"],
    error: "A transaction id is 64 hexadecimal digits, on Ethereum with 0x before them",
    when: ({ value }) => {
      const form = value as { coin?: unknown; txid?: unknown } | null;
      return typeof form?.txid === "string" && coins.some((coin) => coin === form.coin);
    },
  },
);

/** The form of a gift: who gets what, why, and what shows it. */
export const giftSchema = z
  .object({
    ...shared,
    kind: z.enum(giftKinds, "Choose what it is"),
    customer: words("Enter the customer's e-mail address or id", 254),
  })
  .check(amountFits, showsWhy("Choose a picture or a PDF that shows why."));

/** The form of own money that was paid in: how much, and by which payment. */
export const fundingSchema = z
  .object({ ...shared, txid: words("Enter the transaction id", 80) })
  .check(amountFits, txidFits);

/** The form of what we sent: taken out, or between own wallets. Without a fee it is read from the chain. */
export const outlaySchema = z
  .object({
    ...shared,
    txid: words("Enter the transaction id", 80),
    fee: z._default(
      z.string().check(z.overwrite(withoutNul), z.trim(), z.maxLength(40, "Too long")),
      "",
    ),
  })
  .check(
    amountFits,
    txidFits,
    z.refine(({ coin, fee }) => fee === "" || parseAmount(fee, feeCoinOf(coin)) !== null, {
      path: ["fee"],
      error: "An amount in BTC, or in ETH for ether and USDT",
    }),
  );

/** What was taken out, with what shows why. */
export const drawingSchema = outlaySchema.check(showsWhy("Add an invoice or a decision"));

/** What was typed in the coin's smallest unit; null when it is no amount that may be moved. */
export function unitsOf(coin: Coin, amount: string): bigint | null {
  const units = parseAmount(amount, coin);
  return units !== null && units > 0n && units <= maxAdjustmentUnits[coin] ? units : null;
}
