import { operatorRoles } from "#core/permissions.ts";
import { nameProblem } from "#core/person-name.ts";
import { oneLine, plainText } from "#core/plain-text.ts";
import type { Refusal } from "#core/refusal.ts";
import { z } from "#core/zod.ts";
import { passkeyNeeded } from "./passkey-needed.ts";

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

const words: Record<string, string> = {
  "identity/nothing-to-change": "That is how it stands already. Nothing was changed.",
  "identity/last-owner":
    "This is the last owner who can act: make somebody else an owner first. Nothing was changed.",
  "identity/already-proposed":
    "The same person is in a proposal that waits already. Decide that one first.",
  "identity/no-such-proposal": "There is no such proposal. Nothing was done.",
  "identity/proposal-decided": "Somebody decided this a moment ago. Nothing was done twice.",
  "identity/proposal-ended":
    "This proposal has ended by itself: the person it concerned, or who made it, was changed meanwhile. Nothing was done.",
  "identity/proposal-expired": "This proposal waited for more than a week and has expired.",
  "identity/passkey-needed": passkeyNeeded,
  "identity/own-proposal": "Another owner has to confirm what you proposed.",
  "identity/concerns-oneself": "Who is concerned decides nothing here. Another owner has to.",
  "identity/nobody-could-confirm":
    "Of two owners, only the one whom this concerns could confirm it. Nothing was proposed. Whoever holds the machine can suspend that owner there, as his page says.",
  "identity/operator-not-active":
    "Your right to act was taken away a moment ago. Nothing was done.",
};

/** What a form says when a change of staff is declined: at the field that can mend it, or at its head. */
export function sayStaffRefusal({ code }: Refusal): {
  fieldErrors?: Record<string, string[]>;
  formErrors?: string[];
} {
  if (code === "identity/email-taken") {
    const said = "This address has an account already. Staff need one of their own";
    return { fieldErrors: { email: [said] } };
  }
  return { formErrors: [words[code] ?? "This was refused. Nothing was changed."] };
}
