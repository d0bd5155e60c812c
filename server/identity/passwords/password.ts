import { setTimeout as wait } from "node:timers/promises";
import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "#core/refusal.ts";
import {
  limitConcurrency,
  type Share,
  type Turn as TurnIn,
} from "../../platform/limit-concurrency.ts";
import { ownProcessors } from "../../platform/own-processors.ts";
import { subnetOf } from "../../platform/rate-limit.ts";

/**
 * Argon2id (the library's default variant) with the memory and the passes that RFC 9106 (section 4) recommends where
 * memory is dear, 64 MiB and three, in one queue: five times the work of the least that OWASP asks for.
 */
export const passwordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

/** A hash of nobody's password: checking against it takes as long as against anybody's. */
const nobodysHash = () =>
  `$argon2id$v=19$m=${passwordCost.memoryCost},t=${passwordCost.timeCost},p=${passwordCost.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/**
 * Who is hashed for first: known browsers, open sessions and mailed links; then work that a browser has paid for with a solved
 * task; then browsers that are new here; last those that have waited in place of a task.
 */
export type Queue = "known" | "worked" | "new" | "patient";

export type Turn = TurnIn<Queue>;

const placesForKnown = 64 * ownProcessors;
const placesForNew = 16 * Math.max(2, ownProcessors);

/** Of one account, known browsers and open sessions together: nobody types more passwords at once. */
const placesForAccount = 2;

/** One more has its turn than is hashed at a time: it is looked up meanwhile, so that no processor waits for the database. */
export const turnsAtATime = ownProcessors + 1;

/**
 * Hashing happens on other threads, as many at a time as there are processors: more would not be faster, but would
 * leave pages, files and name look-ups waiting for those threads. New browsers wait a second or so: those whom the site cannot take
 * by then are told, and come back with a solved task.
 */
const limited = limitConcurrency<Queue>(turnsAtATime, {
  known: { places: placesForKnown, waitMs: 20_000 },
  worked: { places: placesForNew, waitMs: 10_000 },
  new: { places: placesForNew, waitMs: 1_200 },
  patient: { places: placesForNew / 4, waitMs: 10_000 },
});

const hashing = limitConcurrency(ownProcessors, {
  // As long as it takes: what has its turn was counted.
  one: { places: 1, waitMs: 2 ** 31 - 1 },
});

/** What is refused in a waiting room, or by a limit, leaves no earlier than this: who asks in a circle asks no faster for it. */
const refusalFloorMs = 1_000;

/** @throws Busy when too many wait, or one waited in vain; and what `work` throws */
async function inTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await limited(turn, work);
  } catch (error) {
    const leftMs = began + refusalFloorMs - performance.now();
    if (error instanceof Refusal && leftMs > 0) await wait(leftMs);
    throw error;
  }
}

/** For whoever is known for an account: by a browser, an open session or a mailed link. */
export function turnOf(account: string): Turn {
  return { queues: ["known"], shares: [[account, placesForAccount]] };
}

/**
 * For a known browser that signs in. What it has done for its turn, when the site was busy, opens the room of others who did,
 * should its own be full.
 */
export function turnOfBrowser(account: string, clientAddress: string, queue: Queue): Turn {
  const paid: Queue[] = queue === "new" ? [] : [queue];
  const shares = [...turnOf(account).shares, shareOf(clientAddress, placesForKnown)];
  return { queues: ["known", ...paid], shares };
}

/** For whoever is new here: one network fills no more than a quarter of a room. */
export function turnOfStranger(clientAddress: string, queue: Queue): Turn {
  const places = queue === "patient" ? placesForNew / 4 : placesForNew;
  return { queues: [queue], shares: [shareOf(clientAddress, places)] };
}

function shareOf(clientAddress: string, places: number): Share {
  return [subnetOf(clientAddress), places / 4];
}

/**
 * Turns a password into what may be stored. The same characters from another keyboard are the same password (NFKC). `first` is done
 * when it is this one's turn, for instance counting the attempt: what finds no room counts against nobody.
 *
 * @throws Busy, and what `first` throws
 */
export function hashPassword(
  password: string,
  turn: Turn = { queues: ["known"], shares: [] },
  first?: () => Promise<void>,
): Promise<string> {
  return inTurn(turn, async () => {
    await first?.();
    return hashing("one", () => hash(password.normalize("NFKC"), passwordCost));
  });
}

/**
 * Whether the password is the one behind a hash that is looked up when it is this one's turn: what finds no room has counted against
 * nobody and not troubled the database either. Takes as long as hashing it, right or wrong, found or not.
 *
 * @throws Busy, and what looking up throws
 */
export function verifyInTurn<T extends { hash: string | null } | null>(
  turn: Turn,
  check: { password: string; lookUp: () => Promise<T> },
): Promise<{ found: T; isRight: boolean }> {
  return inTurn(turn, async () => {
    const found = await check.lookUp();
    return { found, isRight: await isRight(found?.hash ?? nobodysHash(), check.password) };
  });
}

function isRight(hashed: string, password: string): Promise<boolean> {
  return hashing("one", () => verify(hashed, password.normalize("NFKC")).catch(() => false));
}
