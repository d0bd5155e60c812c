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
