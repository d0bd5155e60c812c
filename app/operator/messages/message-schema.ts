import { contactLimits } from "#core/contact.ts";
import { plainText } from "#core/text/plain-text.ts";
import { z } from "#core/zod.ts";

const missing = "Write what the sender reads";

/** The form of an answer: the words that the sender reads. */
export const replySchema = z.object({
  text: z
    .string(missing)
    .check(
      z.overwrite(plainText),
      z.minLength(1, missing),
      z.maxLength(
        contactLimits.reply,
        `At most ${contactLimits.reply.toLocaleString("en-US")} characters`,
      ),
    ),
});
