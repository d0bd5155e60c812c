import { terms } from "#core/terms.ts";
import { z } from "#core/zod.ts";

const { minimumPasswordLength: least, maximumPasswordLength: most } = terms;

/** The form that changes a password. */
export const passwordSchema = z
  .object({
    current: z
      .string("please enter your current password")
      .check(
        z.minLength(1, "please enter your current password"),
        z.maxLength(most, "This is not your current password"),
      ),
    password: z
      .string("please enter a password")
      .check(
        z.minLength(least, `Password is too short - should be ${least} chars minimum.`),
        z.maxLength(most, `Password is too long - should be ${most} chars maximum.`),
      ),
    confirmPassword: z.string("please confirm your password"),
  })
  .check(
    z.refine((form) => form.password === form.confirmPassword, {
      path: ["confirmPassword"],
      message: "Passwords must match",
      when: ({ value }) => {
        const form = value as { password?: unknown; confirmPassword?: unknown };
        return typeof form?.password === "string" && typeof form.confirmPassword === "string";
      },
    }),
  );
