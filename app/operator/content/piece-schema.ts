import { unknownPlaceholders } from "#core/text/placeholders.ts";
import { slugMaxLength, slugPattern } from "#core/text/slug.ts";
import { z } from "#core/zod.ts";
import { parsed, withoutNul } from "../parts/parsed-text.ts";

const notATime = "Write a date and a time, for instance 2026-12-01 18:00";

function required(missing: string, maxLength: number) {
  return z.string(missing).check(
    z.overwrite((text) => withoutNul(text).trim()),
    z.minLength(1, missing),
    z.maxLength(maxLength, `At most ${maxLength} characters`),
  );
}

function optional(maxLength: number) {
  return z._default(
    z.string().check(
      z.overwrite((text) => withoutNul(text).trim()),
      z.maxLength(maxLength, `At most ${maxLength} characters`),
    ),
    "",
  );
}

/** A text in which numbers of the terms stand by name: an unknown name is most likely a slip of the finger. */
function withNames(missing: string, maxLength: number) {
  return required(missing, maxLength).check(
    z.refine((text) => unknownPlaceholders(text).length === 0, {
      error: ({ input }) =>
        `No number has this name: ${unknownPlaceholders(String(input))
          .map((name) => `{${name}}`)
          .join(", ")}`,
    }),
  );
}

const slug = z.optional(
  z.string().check(
    z.overwrite((text) => text.trim().toLowerCase()),
    z.maxLength(slugMaxLength, `At most ${slugMaxLength} characters`),
    z.regex(slugPattern, "Small letters, digits and hyphens, for instance how-to-withdraw"),
    z.refine((text) => text !== "new", "This name is taken by the page for new ones"),
  ),
);

const company = z.object({
  name: optional(300),
  registration: optional(300),
  postalAddress: optional(300),
  email: z._default(z.union([z.literal(""), z.email("Write an e-mail address, or nothing")]), ""),
  phone: z._default(
    z.string().check(
      z.overwrite((text) => withoutNul(text).trim()),
      z.regex(/^[+\d][\d ()./-]{2,39}$|^$/, "Write a telephone number, or nothing"),
    ),
    "",
  ),
  officeHours: optional(300),
});

const faq = z.object({
  question: withNames("Write the question", 300),
  answer: withNames("Write the answer", 8000),
  slug,
});

const announcement = z
  .object({
    title: withNames("Write a title", 200),
    text: withNames("Write what there is to say", 8000),
    publishedAt: parsed("Write from when it is shown", readUtc, notATime),
    expiresAt: z.optional(parsed("", readUtc, notATime)),
    pinned: z._default(z.stringbool(), false),
  })
  .check(
    z.refine(({ publishedAt, expiresAt }) => !expiresAt || expiresAt > publishedAt, {
      path: ["expiresAt"],
      error: "It must end after it begins",
    }),
  );

/** The forms of the texts that operators edit, by kind. */
export const pieceSchemas = { company, faq, announcement } as const;

/** A datetime-local field's text, or the same with a space, taken as UTC. */
function readUtc(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})/.exec(text.trim());
  const at = match ? new Date(`${match[1]}T${match[2]}Z`) : null;
  return at && !Number.isNaN(at.getTime()) ? at : null;
}
