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
 * Who is hashed for first: known browsers, open sessions and mailed links; then work that a browser has paid for with a solved
 * task; then browsers that are new here; last those that have waited in place of a task.
 */
export type Lane = "known" | "worked" | "new" | "patient";

const atATime = availableParallelism();
const placesForNew = 16 * Math.max(2, atATime);

/**
 * Hashing happens on other threads, as many at a time as there are processors: more would not be faster, but would
 * leave pages, files and name look-ups waiting for those threads. New browsers wait a second or so: those whom the site cannot take
 * by then are told, and come back with a solved task.
 *
 * @throws Busy when too many wait in this lane, or one waited in vain
 */
const inTurn = openGate<Lane>(atATime, {
  known: { places: 64 * atATime, waitMs: 20_000 },
  worked: { places: placesForNew, waitMs: 10_000 },
  new: { places: placesForNew, waitMs: 1_200 },
  patient: { places: placesForNew / 4, waitMs: 10_000 },
});

/**
 * Turns a password into what may be stored. The same characters from another keyboard are the same password (NFKC).
 *
 * @throws Busy
 */
export function hashPassword(password: string, lane: Lane = "known"): Promise<string> {
  return inTurn(lane, () => hash(password.normalize("NFKC"), passwordCost));
}

/**
 * Whether the password is the one behind the hash. Takes as long as hashing it, right or wrong.
 *
 * @throws Busy
 */
export function verifyPassword(check: { hash: string; password: string }): Promise<boolean> {
  return inTurn("known", () => isRight(check.hash, check.password));
}

/**
 * The same for a hash that is looked up when it is this one's turn: what finds no room has not troubled the database either.
 *
 * @throws Busy, and what looking up throws
 */
export function verifyInTurn<T extends { hash: string | null } | null>(
  lane: Lane,
  check: { password: string; lookUp: () => Promise<T> },
): Promise<{ found: T; isRight: boolean }> {
  return inTurn(lane, async () => {
    const found = await check.lookUp();
    return { found, isRight: await isRight(found?.hash ?? nobodysHash, check.password) };
  });
}

function isRight(hashed: string, password: string): Promise<boolean> {
  return verify(hashed, password.normalize("NFKC")).catch(() => false);
}
