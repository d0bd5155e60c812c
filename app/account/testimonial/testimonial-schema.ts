import { nameForms } from "#core/people/name-form.ts";
import { z } from "#core/zod.ts";

const withoutNul = (text: string) => text.replaceAll("\0", "").trim();

/** What a customer agrees to have shown. */
export const testimonialSchema = z.object({
  words: z
    .string("Write a few words")
    .check(
      z.overwrite(withoutNul),
      z.minLength(20, "At least 20 characters"),
      z.maxLength(600, "At most 600 characters"),
    ),
  nameForm: z.enum(nameForms, "Choose a form of your name"),
  role: z._default(
    z.string().check(z.overwrite(withoutNul), z.maxLength(80, "At most 80 characters")),
    "",
  ),
  image: z.enum(["initials", "none"], "Choose a picture or none"),
});
