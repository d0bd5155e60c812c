import { readFileSync } from "node:fs";
import path from "node:path";
import { Refusal } from "#core/refusal.ts";

/** What a password must not be made of. */
export interface Names {
  email: string;
  siteName: string;
}

/** So many characters must remain when the names are taken out of it. */
const ownCharacters = 4;

let common: Set<string> | undefined;

/**
 * Refuses a password that guessers try first: one of the 10,000 most common ones, or little more than the e-mail
 * address or the site's name, in any case. Nobody else is asked.
 *
 * @throws Refusal `identity/password-too-common` or `identity/password-is-a-name`
 */
export function requireUncommonPassword(password: string, { email, siteName }: Names): void {
  const typed = password.normalize("NFKC").toLowerCase();
  common ??= new Set(readList());
  if (common.has(typed)) throw new Refusal("identity/password-too-common");
  const address = email.toLowerCase();
  const local = address.split("@")[0] ?? "";
  const names = [address, local, siteName.toLowerCase(), siteName.toLowerCase().replace(/\s/g, "")];
  for (const name of names.filter((each) => each.length >= ownCharacters)) {
    if (!typed.includes(name)) continue;
    const rest = typed.replaceAll(name, "");
    if (rest.length < ownCharacters) throw new Refusal("identity/password-is-a-name");
  }
}

/** What a form says at the password when it is refused, or null for another refusal. */
export function passwordFault(refusal: Refusal): string | null {
  if (refusal.code === "identity/password-too-common") {
    return "This is one of the passwords that guessers try first. Please choose another";
  }
  if (refusal.code === "identity/password-is-a-name") {
    return "This is little more than your e-mail address or our name. Please choose another";
  }
  if (refusal.code === "identity/password-breached") {
    return "This password stands in a list of leaked ones, so guessers have it. Please choose another";
  }
  return null;
}

function readList(): string[] {
  return readFileSync(path.join(import.meta.dirname, "common-passwords.txt"), "utf8").split("\n");
}
