import { z } from "../zod.ts";
import { nameProblem } from "./person-name.ts";

/** The specification's rule for a name, that there is one, and ours for what is none. */
const name = (missing: string) =>
  z.string(missing).check(
    z.trim(),
    z.minLength(1, missing),
    z.check<string>((ctx) => {
      const problem = ctx.value === "" ? null : nameProblem(ctx.value);
      if (problem) ctx.issues.push({ code: "custom", message: problem, input: ctx.value });
    }),
  );

export const firstName = name("please enter your first name");
export const lastName = name("please enter your last name");

/** And for an e-mail address. */
export const email = z.pipe(
  z
    .string("please enter a valid email")
    .check(z.trim(), z.minLength(1, "please enter a valid email")),
  z.email("Invalid email format").check(z.maxLength(254, "Invalid email format")),
);
