import { z } from "#core/zod.ts";
import { withoutNul } from "../parts/parsed-text.ts";

const maxLength = 1000;

/** The form of a rejection: the words that the customer reads. */
export const rejectionSchema = z.object({
  reason: z
    .string("Write the reason that the customer reads")
    .check(
      z.overwrite(withoutNul),
      z.trim(),
      z.minLength(1, "Write the reason that the customer reads"),
      z.maxLength(maxLength, `At most ${maxLength} characters`),
    ),
});

/** Where to start from. Each is to be made true for the case at hand. */
export const readyReasons = [
  {
    name: "Nothing arrived",
    text: "The payment has not arrived at our address. If you have sent it, please submit the slip again with the transaction id visible.",
  },
  {
    name: "Slip unreadable",
    text: "We could not read the slip. Please submit it again as a clear picture or PDF that shows amount, date and transaction id.",
  },
  {
    name: "Used before",
    text: "This slip was submitted before with another deposit. If you have made a second payment, please submit its own slip.",
  },
  {
    name: "Other address",
    text: "The slip shows a payment to an address that is not ours, so we have not received it. Please contact us before you send anything else.",
  },
];
