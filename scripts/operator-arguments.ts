import { z } from "../core/zod.ts";

export const usage = 'Use: npm run operator -- create EMAIL "First Last"';

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
  if (rest.length > 0 || firstName === "" || firstName.length > 100 || lastName.length > 100) {
    return "The name must be given in quotation marks, first and last.";
  }
  return { email: address.toLowerCase(), firstName, lastName };
}
