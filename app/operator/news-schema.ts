import { z } from "#core/zod.ts";
import { withoutNul } from "./parsed-text.ts";

function short(missing: string, maxLength: number) {
  return z.string(missing).check(
    z.overwrite((text) => withoutNul(text).trim()),
    z.minLength(1, missing),
    z.maxLength(maxLength, `At most ${maxLength} characters`),
  );
}

/** The form of a news feed. */
export const newsSourceSchema = z.object({
  name: short("Write the name that stands beside its news", 80),
  url: short("Write the feed's address", 1000).check(
    z.refine(
      (text) => URL.canParse(text),
      "Write an address, for instance https://example.com/feed",
    ),
  ),
  enabled: z._default(z.stringbool(), false),
});

/** What a form says when a feed is refused: at the field that can mend it, or at its head. */
export function sayNewsRefusal(code: string): {
  fieldErrors?: Record<string, string[]>;
  formErrors?: string[];
} {
  const url = urlFaults[code];
  if (url) return { fieldErrors: { url: [url] } };
  if (code === "news/changed-meanwhile") {
    return {
      formErrors: [
        "A colleague changed this feed while you wrote. Yours is still here: save again to put it on top.",
      ],
    };
  }
  return { formErrors: ["This was refused. Nothing was changed."] };
}

const urlFaults: Record<string, string> = {
  "news/not-https": "Only addresses that begin with https://",
  "news/address-not-allowed": "This leads to a private or local network, which is never read",
  "news/not-an-address": "Write an address, for instance https://example.com/feed",
  "news/source-exists": "Another source has this address",
};
