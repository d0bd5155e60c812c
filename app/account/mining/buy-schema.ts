import { coins } from "#core/asset.ts";
import { z } from "#core/zod.ts";

const wholeNumber = "A whole number, at least 1";

/** What is to be bought, and paid with which coin. */
export const wishSchema = z.object({
  plan: z.string("Choose a plan").check(z.uuid("Choose a plan")),
  quantity: z.string(wholeNumber).check(z.trim(), z.regex(/^[1-9]\d{0,5}$/, wholeNumber)),
  coin: z.enum(coins, "Choose a coin"),
});

/** The button that buys: a quote, and the version of the terms that was shown beside it. */
export const purchaseSchema = z.object({
  quoteId: z.string("This price is not known"),
  termsVersion: z.string("Read the terms"),
  termsSha256: z.string("Read the terms"),
  accepted: z.literal("on", "Read the terms and tick the box"),
});
