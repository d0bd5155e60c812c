import { newsletterLimits } from "#core/newsletter.ts";
import { oneLine, plainText } from "#core/text/plain-text.ts";
import { z } from "#core/zod.ts";

const { subject, body } = newsletterLimits;

/** The form of an issue: its subject, and paragraphs parted by blank lines. */
export const issueSchema = z.object({
  subject: z
    .string("Write a subject")
    .check(
      z.overwrite(oneLine),
      z.minLength(1, "Write a subject"),
      z.maxLength(subject, `At most ${subject} characters`),
    ),
  body: z
    .string("Write the text")
    .check(
      z.overwrite(plainText),
      z.minLength(1, "Write the text"),
      z.maxLength(body, `At most ${body.toLocaleString("en-US")} characters`),
    ),
});
