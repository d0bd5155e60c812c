import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { Refusal } from "#core/refusal.ts";
import { sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "./database.ts";
import { preparedSql } from "./prepared.ts";

export interface Limit {
  /** What is counted, for instance `sign-in/account`. */
  purpose: string;
  /** How often it may be tried within a window. */
  max: number;
  windowMinutes: number;
}

/** Somebody tried too often. Counted in the same way whether or not what he tried exists. */
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
 * @throws TooManyAttempts
 */
export async function countAttempts(
  db: Db | Tx,
  counted: ReadonlyArray<readonly [limit: Limit, who: string]>,
  now: Date,
): Promise<void> {
  const [over] = await count(db, toCount(counted, now));
  if (over) throw new TooManyAttempts(new Date(Number(over.endsAtMs)));
}

/** What `count_attempts` is given, for a prepared statement that counts on its way to something else. */
export const counting = sql`
  ${sql.placeholder("keys")}::bytea[], ${sql.placeholder("maxima")}::int[],
  ${sql.placeholder("minutes")}::int[], ${sql.placeholder("moment")}::timestamptz`;

/** The values of `counting`. */
export function toCount(
  counted: ReadonlyArray<readonly [limit: Limit, who: string]>,
  now: Date,
): Record<string, unknown> {
  return {
    keys: keysOf(counted),
    maxima: counted.map(([{ max }]) => max),
    minutes: counted.map(([{ windowMinutes }]) => windowMinutes),
    moment: now.toISOString(),
  };
}

const count = preparedSql<{ endsAtMs: string }>(
  "platform_count_attempts",
  sql`
    select (extract(epoch from window_ends_at) * 1000)::bigint as "endsAtMs"
    from count_attempts(${counting})`,
);

/** Starts counting anew, for instance after somebody signed in. */
export function forgetAttempts(db: Db | Tx, limit: Limit, who: string): Promise<void> {
  return forgetAllAttempts(db, [[limit, who]]);
}

export async function forgetAllAttempts(
  db: Db | Tx,
  counted: ReadonlyArray<readonly [limit: Limit, who: string]>,
): Promise<void> {
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

/** What counts as one place: an IPv4 address, or the /64 that an IPv6 customer is usually given as a whole. */
export function placeOf(clientAddress: string): string {
  if (!isIPv6(clientAddress)) return clientAddress;
  const [head = "", tail] = clientAddress.split("::");
  const front = head.split(":").filter(Boolean);
  const back = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array.from({ length: zeros }, () => "0"), ...back];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}

/** The time to wait, as people say it: "1 minute", "14 minutes", "2 hours". */
export function waitUntil(retryAt: Date, now: Date): string {
  const minutes = Math.max(1, Math.ceil((retryAt.getTime() - now.getTime()) / 60_000));
  if (minutes < 60) return minutes === 1 ? "1 minute" : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

export function keysOf(counted: ReadonlyArray<readonly [limit: Limit, who: string]>): Buffer[] {
  return counted.map(([limit, who]) => keyOf(limit, who));
}

/** A hash, so that the table holds no addresses of people. */
function keyOf(limit: Limit, who: string): Buffer {
  return createHash("sha256").update(`${limit.purpose}\0${who}`).digest();
}
