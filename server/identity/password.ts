import { hash, verify } from "@node-rs/argon2";

/** Argon2id (the library's default variant) as OWASP asks at the least: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Turns a password into what may be stored. The same characters from another keyboard are the same password (NFKC). */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

/** Whether the password is the one behind the hash. Takes as long as hashing it, right or wrong. */
export async function verifyPassword(check: { hash: string; password: string }): Promise<boolean> {
  try {
    return await verify(check.hash, check.password.normalize("NFKC"));
  } catch {
    return false;
  }
}
