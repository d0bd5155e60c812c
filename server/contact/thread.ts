import { randomInt } from "node:crypto";

export const threadStates = ["open", "answered", "closed", "spam"] as const;
export type ThreadState = (typeof threadStates)[number];

/** What a customer wrote is never spam: `customers_write_no_spam`. */
export type OwnThreadState = Exclude<ThreadState, "spam">;

/** What speaks for a message being a person's: a solved challenge, an old enough form, a link that we mailed, or a session. */
export type Proven = "work" | "patience" | "link" | "session";

/** No I, L, O, U: what is read out on the telephone is not mistaken. */
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** What people quote when they ask about a message: random, so that it says nothing of how many write. */
export function newReference(): string {
  const four = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return `${four()}-${four()}`;
}

/** Whether a text out of an address is shaped like a reference. */
export function isReference(text: string | null): text is string {
  return /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/.test(text ?? "");
}
