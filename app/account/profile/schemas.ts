import { digestRhythms, noticeEvents } from "#core/notice-events.ts";
import { displayCurrencies, formatLocales, isTimeZone } from "#core/people/locale-preferences.ts";
import { email, firstName, lastName } from "#core/people/person-fields.ts";
import { phoneProblem } from "#core/people/phone.ts";
import { z } from "#core/zod.ts";

/** Each part of the profile is a form of its own and saved on its own. What is in no schema is not read. */
export const partSchemas = {
  names: z.object({ firstName, lastName }),
  phone: z.object({
    country: z._default(z.string().check(z.regex(/^[A-Z]{2}$/, "Choose a country")), ""),
    phone: z._default(
      z.string().check(
        z.trim(),
        z.check<string>((ctx) => {
          const problem = ctx.value === "" ? null : phoneProblem(ctx.value);
          if (problem) ctx.issues.push({ code: "custom", message: problem, input: ctx.value });
        }),
      ),
      "",
    ),
  }),
  reading: z.object({
    locale: z._default(
      z.union([z.enum(formatLocales), z.literal("")], "Choose one of the list"),
      "",
    ),
    timeZone: z._default(
      z
        .string()
        .check(
          z.refine((name) => name === "" || isTimeZone(name), "Choose a time zone of the list"),
        ),
      "",
    ),
  }),
  currency: z.object({
    currency: z.enum(displayCurrencies, "Choose one of the list"),
  }),
  notices: z.object({
    wanted: z._default(
      z.pipe(
        // A single one comes on its own.
        z.transform((sent) => [sent].flat()),
        z.array(z.enum(noticeEvents, "Choose from the list")),
      ),
      [],
    ),
  }),
  digest: z.object({
    every: z.enum(digestRhythms, "Choose one of the list"),
  }),
  phrase: z.object({
    phrase: z._default(
      z.string().check(
        z.trim(),
        z.maxLength(60, "At most 60 characters"),
        z.refine(
          (phrase) => !/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u.test(phrase),
          "One line, without control characters",
        ),
      ),
      "",
    ),
  }),
  email: z.object({
    newEmail: email,
    password: z.string("please enter your password").check(z.maxLength(200, "That is too long")),
  }),
} as const;

export type PartName = keyof typeof partSchemas;

export function isPart(name: unknown): name is PartName {
  return typeof name === "string" && Object.hasOwn(partSchemas, name);
}

/** What closing an account asks for. */
export const closeSchema = z.object({
  password: z.string("please enter your password").check(z.maxLength(200, "That is too long")),
});
