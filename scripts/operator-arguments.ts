import { nameProblem } from "../core/people/person-name.ts";
import { z } from "../core/zod.ts";
import { operatorHelp } from "../server/identity/staff/help-operator.ts";

export const usage = `Use: npm run operator -- create EMAIL "First Last"
or, when somebody of the staff cannot get in: reset-factors EMAIL "Reason", unfreeze EMAIL "Reason"
or, when no second owner could confirm it: suspend EMAIL "Reason"`;

const commandsWithReason = [...operatorHelp, "suspend"] as const;

const email = z.email().check(z.maxLength(254));

/** What `npm run operator` was asked to do, or what is wrong with it. */
export function readInvitation(
  args: string[],
): { email: string; firstName: string; lastName: string } | string {
  const [command, address = "", name = "", ...rest] = args;
  if (command !== "create") return `There is no command "${command ?? ""}".`;
  if (!email.safeParse(address).success) return `"${address}" is not an e-mail address.`;
  const words = name.trim().split(/\s+/);
  const lastName = words.pop() ?? "";
  const firstName = words.join(" ");
  if (rest.length > 0 || firstName === "") {
    return "The name must be given in quotation marks, first and last.";
  }
  const problem = nameProblem(firstName) ?? nameProblem(lastName);
  if (problem) return `${problem}.`;
  return { email: address.toLowerCase(), firstName, lastName };
}

/** The same of the commands about somebody who is on the staff already; null when it is none of them. */
export function readOrder(
  args: string[],
): { kind: (typeof commandsWithReason)[number]; email: string; reason: string } | string | null {
  const [command, address = "", reason = "", ...rest] = args;
  const kind = commandsWithReason.find((each) => each === command);
  if (!kind) return null;
  if (!email.safeParse(address).success) return `"${address}" is not an e-mail address.`;
  if (rest.length > 0 || reason.trim() === "" || reason.length > 1000) {
    return "The reason must be given in quotation marks: it is kept, and read by who is concerned.";
  }
  return { kind, email: address.toLowerCase(), reason: reason.trim() };
}
