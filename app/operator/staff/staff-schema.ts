import { nameProblem } from "#core/people/person-name.ts";
import { operatorRoles } from "#core/permissions.ts";
import { oneLine, plainText } from "#core/text/plain-text.ts";
import { z } from "#core/zod.ts";

const name = (missing: string) =>
  z.string(missing).check(
    z.overwrite(oneLine),
    z.minLength(1, missing),
    z.check<string>((ctx) => {
      const problem = ctx.value === "" ? null : nameProblem(ctx.value);
      if (problem) ctx.issues.push({ code: "custom", message: problem, input: ctx.value });
    }),
  );

const role = z.enum(operatorRoles, "Choose a role");

const reason = z
  .string("Write why: colleagues and the audit log read it")
  .check(
    z.overwrite(plainText),
    z.minLength(1, "Write why: colleagues and the audit log read it"),
    z.maxLength(500, "At most 500 characters"),
  );

export const invitationSchema = z.object({
  email: z.pipe(
    z.string("Enter an e-mail address").check(z.trim(), z.toLowerCase()),
    z.email("This is no e-mail address").check(z.maxLength(254, "At most 254 characters")),
  ),
  firstName: name("Enter the first name"),
  lastName: name("Enter the last name"),
  role,
});

export const roleSchema = z.object({ role, reason });
export const reasonSchema = z.object({ reason });
