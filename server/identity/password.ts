import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { openGate } from "../platform/open-gate.ts";

/** Argon2id (the library's default variant) as OWASP asks at the least: 19 MiB, two passes, one lane. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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
