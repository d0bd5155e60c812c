import { z } from "#core/zod.ts";
import { withoutNul } from "../parts/parsed-text.ts";

function short(missing: string, maxLength: number) {
  return z.string(missing).check(
    z.overwrite((text) => withoutNul(text).trim()),
    z.minLength(1, missing),
    z.maxLength(maxLength, `At most ${maxLength} characters`),
  );
}

/** The form of a news feed. */
export const newsSourceSchema = z.object({
  name: short("Write the name to show next to its news", 80),
  url: short("Write the feed's address", 1000).check(
    z.refine(
      (text) => URL.canParse(text),
      "Write an address, for instance https://example.com/feed",
    ),
  ),
  enabled: z._default(z.stringbool(), false),
});
