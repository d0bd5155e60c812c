import { email, firstName, lastName } from "#core/people/person-fields.ts";
import { terms } from "#core/terms.ts";
import { z } from "#core/zod.ts";

// One schema on both sides: the browser checks with it while a reader types, the server decides with it.
// The words are the specification's.

const password = z
  .string("please enter a password")
  .check(
    z.minLength(
      terms.minimumPasswordLength,
      `Password is too short - should be ${terms.minimumPasswordLength} chars minimum.`,
    ),
    z.maxLength(
      terms.maximumPasswordLength,
      `Password is too long - should be ${terms.maximumPasswordLength} chars maximum.`,
    ),
  );

const confirmPassword = z.string("please confirm your password");

/** Compares as soon as both are there, also while another field is still wrong. */
const passwordsMatch = z.refine<{ password: string; confirmPassword: string }>(
  (form) => form.password === form.confirmPassword,
  {
    path: ["confirmPassword"],
    message: "Passwords must match",
    when: ({ value }) => {
      const form = value as { password?: unknown; confirmPassword?: unknown };
      return typeof form?.password === "string" && typeof form.confirmPassword === "string";
    },
  },
);

/** Optional, and shown by no input: its rules stand for whoever sends one. */
const phoneNumber = z.optional(
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => (text.trim() === "" ? Number.NaN : Number(text))),
    ),
    z
      .number("That doesn't look like a phone number")
      .check(
        z.positive("A phone number can't start with a minus"),
        z.multipleOf(1, "A phone number can't include a decimal point"),
      ),
  ),
);

export const signInForm = z.object({
  email,
  password,
  rememberMe: z._default(z.stringbool(), false),
});

export const signUpForm = z
  .object({
    firstName,
    lastName,
    email,
    phoneNumber,
    password,
    confirmPassword,
    acceptedTerms: z
      ._default(z.stringbool("Required"), false)
      .check(z.refine((accepted) => accepted, "You must accept the terms and conditions")),
  })
  .check(passwordsMatch);

export const forgotPasswordForm = z.object({ email });

export const resetPasswordForm = z.object({ password, confirmPassword }).check(passwordsMatch);
