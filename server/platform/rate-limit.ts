import { createHash } from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";
import { Refusal } from "#core/refusal.ts";
import { sql } from "#server/platform/sql.ts";
import { Busy } from "./busy.ts";
import { preparedSql } from "./database/prepared.ts";
import type { Db, Tx } from "./database.ts";

export interface Limit {
  /** What is counted, for instance `sign-in/account`. */
  purpose: string;
  /** How often it may be tried within a window. */
  max: number;
  windowMinutes: number;
}

/** Counted where all people are counted together. Beyond such a limit the site is busy, and no one person has tried too often. */
export const wholeSite = "the whole site";
/** When a busy site is worth another try, which may bring what it asks for. */
const busySeconds = 10;

export type Counted = ReadonlyArray<readonly [limit: Limit, who: string]>;

/** Too many attempts. Counted in the same way whether or not the account exists. */
export class TooManyAttempts extends Refusal {
  override name = "TooManyAttempts";
  readonly retryAt: Date;

  constructor(retryAt: Date) {
    super("platform/too-many-attempts");
    this.retryAt = retryAt;
  }
}

/**
 * Counts one more attempt of `who`, in one statement, so that any number of processes count together.
 * The window begins with the first attempt and is not made longer by later ones.
 *
 * @throws TooManyAttempts
 */
export function countAttempt(db: Db | Tx, limit: Limit, who: string, now: Date): Promise<void> {
  return countAttempts(db, [[limit, who]], now);
}

/**
 * Counts one attempt under several limits in turn, in one trip to the database. After the first that it is over the
 * rest are not counted.
 *
 * @throws TooManyAttempts, or Busy when it was a limit of the whole site
 */
export async function countAttempts(db: Db | Tx, counted: Counted, now: Date): Promise<void> {
  const [over] = await count(db, toCount(counted, now));
  requireUnder(counted, over ?? null);
}

/**
 * Refuses what `count_attempts` has found over a limit: until when, and which of them, counted from 1.
 *
 * @throws TooManyAttempts, or Busy when it was a limit of the whole site
 */
export function requireUnder(
  counted: Counted,
  over: { overUntilMs: string | null; overWhich: number | null } | null,
): void {
  if (!over) return;
  const [, who] = counted[(over.overWhich ?? 0) - 1] ?? [];
  const until = new Date(Number(over.overUntilMs));
  throw who === wholeSite ? new Busy(busySeconds, until) : new TooManyAttempts(until);
}

/**
 * What is said to whoever met a limit or a full waiting room, and can bring nothing for a turn: "Too many attempts" to who tried too
 * often, and that the site is busy to everybody else. Null: it was another error.
 */
export function comeBackLater(
  error: unknown,
  now: Date,
  undone = "nothing was done",
): { words: string; status: number; headers: Record<string, string> } | null {
  const isBusy = error instanceof Busy;
  if (!isBusy && !(error instanceof TooManyAttempts)) return null;
  const until = isBusy ? error.until : error.retryAt;
  const again = `Please try again in ${until ? waitUntil(until, now) : "a few seconds"}.`;
  const words = isBusy
    ? `The site is very busy, and ${undone}. ${again}`
    : `Too many attempts. ${again}`;
  const seconds = until
    ? Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
    : busySeconds;
  return { words, status: isBusy ? 503 : 429, headers: { "Retry-After": String(seconds) } };
}

/** What `count_attempts` is given, for a prepared statement that counts on its way to something else. */
export const counting = sql`
  ${sql.placeholder("keys")}::bytea[], ${sql.placeholder("maxima")}::int[],
  ${sql.placeholder("minutes")}::int[], ${sql.placeholder("moment")}::timestamptz`;

/** The values of `counting`. */
export function toCount(counted: Counted, now: Date): Record<string, unknown> {
  return {
    keys: keysOf(counted),
    maxima: counted.map(([{ max }]) => max),
    minutes: counted.map(([{ windowMinutes }]) => windowMinutes),
    moment: now.toISOString(),
  };
}

/** Counts one more and says how many there were within the window, this one included. Nothing is refused. */
export async function tally(db: Db | Tx, limit: Limit, who: string, now: Date): Promise<number> {
  // Whatever is above a limit of none is told.
  const [found] = await count(db, toCount([[{ ...limit, max: 0 }, who]], now));
  return found?.soFar ?? 0;
}

const count = preparedSql<{ overUntilMs: string; overWhich: number; soFar: number }>(
  "platform_count_attempts",
  sql`
    select (extract(epoch from window_ends_at) * 1000)::bigint as "overUntilMs", which as "overWhich",
      so_far as "soFar"
    from count_attempts(${counting})`,
);

/** Starts counting anew, for instance after somebody signed in. */
export function forgetAttempts(db: Db | Tx, limit: Limit, who: string): Promise<void> {
  return forgetAllAttempts(db, [[limit, who]]);
}

export async function forgetAllAttempts(db: Db | Tx, counted: Counted): Promise<void> {
  await db.execute(
    sql`delete from attempts where key = any(${sql.param(keysOf(counted))}::bytea[])`,
  );
}

/** Deletes counts whose window has ended. */
export async function sweepAttempts(db: Db, now: Date): Promise<void> {
  await db.execute(
    sql`delete from attempts where window_ends_at <= ${now.toISOString()}::timestamptz`,
  );
}

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 customer is usually given as a whole. */
export function clientNetwork(clientAddress: string): string {
  return isIPv6(clientAddress) ? `${groupsOf(clientAddress, 4)}::/64` : clientAddress;
}

/** What one organisation is usually given, and could try from: the /24 of an IPv4 address, or the /48 of an IPv6 one. */
export function subnetOf(clientAddress: string): string {
  if (isIPv6(clientAddress)) return `${groupsOf(clientAddress, 3)}::/48`;
  if (!isIPv4(clientAddress)) return clientAddress;
  return `${clientAddress.split(".").slice(0, 3).join(".")}.0/24`;
}

/** The first groups of an IPv6 address, written out. */
function groupsOf(address: string, count: number): string {
  const [head = "", tail] = address.split("::");
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array.from({ length: zeros }, () => "0"), ...back];
  const first = groups.slice(0, count).map((group) => Number.parseInt(group, 16).toString(16));
  return first.join(":");
}

/** The time to wait, as people say it: "1 minute", "14 minutes", "2 hours". */
export function waitUntil(retryAt: Date, now: Date): string {
  const minutes = Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 60_000));
  if (minutes < 60) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

export function keysOf(counted: Counted): Buffer[] {
  return counted.map(([limit, who]) => keyOf(limit, who));
}

/** A hash, so that the table holds no addresses of people. */
function keyOf(limit: Limit, who: string): Buffer {
  return createHash("sha256").update(`${limit.purpose}\0${who}`).digest();
}
