import { coins } from "#core/asset.ts";
import { z } from "#core/zod.ts";

const wholeNumber = "A whole number, at least 1";
const unread = "Read the terms and tick the box";

/** The terms as they were shown next to a form, and that they were accepted. */
const acceptance = {
  termsVersion: z.string(unread),
  accepted: z.literal("on", unread),
};

/** What is to be bought, and paid with which coin. */
export const orderSchema = z.object({
  plan: z.string("Choose a plan").check(z.uuid("Choose a plan")),
  quantity: z.string(wholeNumber).check(z.trim(), z.regex(/^[1-9]\d{0,5}$/, wholeNumber)),
  coin: z.enum(coins, "Choose a coin"),
  ...acceptance,
});

/** The button that buys: a quote, the first day shown beside it, and the version of the terms that was accepted for it. */
export const purchaseSchema = z.object({
  quoteId: z.string("We do not know this price. Get a new one"),
  startsOn: z.string("This page is out of date. You were not charged. Please open it again"),
  termsSha256: z.string(unread),
  ...acceptance,
});
