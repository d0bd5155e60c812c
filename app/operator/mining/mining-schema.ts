import { parseDecimal } from "#core/decimal.ts";
import { z } from "#core/zod.ts";
import { parsed } from "../parts/parsed-text.ts";

export const automaticSchema = z.object({
  /** The number of the settings that the form was made of. */
  seen: z.optional(z.string()),
  byItself: z._default(z.stringbool(), false),
  percent: parsed(
    "From what difference on?",
    (text) => {
      const ppm = parseDecimal(text.trim().replace(/\s*%$/, ""), 4);
      return ppm !== null && ppm <= 10_000_000n ? Number(ppm) : null;
    },
    "A percentage, at most 1,000",
  ),
});
