import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { openGate } from "../platform/open-gate.ts";

/**
 * Argon2id (the library's default variant) with the memory and the passes that RFC 9106 (section 4) recommends where
 * memory is dear, 64 MiB and three, in one lane: five times the work of the least that OWASP asks for.
 */
export const passwordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

/** A hash of nobody's password: checking against it takes as long as against anybody's. */
export const nobodysHash = `$argon2id$v=19$m=${passwordCost.memoryCost},t=${passwordCost.timeCost},p=${passwordCost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Hashing happens on other threads, as many at a time as there are processors: more would not be faster, but would
 * leave pages, files and name look-ups waiting for those threads.
 */
const throughGate = openGate(availableParallelism());

/** Turns a password into what may be stored. The same characters from another keyboard are the same password (NFKC). */
export function hashPassword(password: string): Promise<string> {
  return throughGate(() => hash(password.normalize("NFKC"), passwordCost));
}

/** Whether the password is the one behind the hash. Takes as long as hashing it, right or wrong. */
export async function verifyPassword(check: { hash: string; password: string }): Promise<boolean> {
  try {
    return await throughGate(() => verify(check.hash, check.password.normalize("NFKC")));
  } catch {
    return false;
  }
}
