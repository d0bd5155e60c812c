import { z } from "./zod.ts";

/**
 * What no name holds, but a stranger would like to see in a mail of ours, which greets by name: lines of his
 * own, addresses of pages, and characters that turn the reading direction.
 */
const isNoName = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]|:\/\/|www\./iu;

/** The specification's rules for a first name. */
export const firstName = z.string("please enter your first name").check(
  z.trim(),
  z.minLength(1, "please enter your first name"),
  z.maxLength(100, "That is too long for a first name"),
  z.refine((name) => !isNoName.test(name), "please enter your first name"),
);

/** And for a last name. */
export const lastName = z.string("please enter your last name").check(
  z.trim(),
  z.minLength(1, "please enter your last name"),
  z.maxLength(100, "That is too long for a last name"),
  z.refine((name) => !isNoName.test(name), "please enter your last name"),
);

/** And for an e-mail address. */
export const email = z.pipe(
  z
    .string("please enter a valid email")
    .check(z.trim(), z.minLength(1, "please enter a valid email")),
  z.email("Invalid email format").check(z.maxLength(254, "Invalid email format")),
);
