import type { ProofDay } from "#core/proof/day-digest.ts";
import { moment, orNull, readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { type SQL, sql } from "#server/platform/sql.ts";

/** So many days are on the page; all are in the files of the months. */
export const daysListed = 30;

/** What a day's digest stands on that the books alone do not give again. */
export const standsOn = {
  root: orNull(text),
  leaves: orNull(text),
  owedBtc: orNull(text),
  owedEth: orNull(text),
  owedUsdt: orNull(text),
  blockHeight: orNull(text),
  blockHash: orNull(text),
};
export const selectStandsOn = sql`
  encode(d.root, 'hex') as root, d.leaves::text, d.owed_btc::text as "owedBtc", d.owed_eth::text as "owedEth",
  d.owed_usdt::text as "owedUsdt", d.block_height::text as "blockHeight", d.block_hash as "blockHash"`;

export interface PublishedDay extends ProofDay {
  publishedAt: Date;
}

const columns = {
  day: text,
  previousDigest: text,
  sealNumber: orNull(text),
  sealHash: orNull(text),
  auditLink: orNull(text),
  auditHash: orNull(text),
  ...standsOn,
  digest: text,
  publishedAt: moment,
};

/** The last 30 days that have a digest, newest first. */
export function listProofDays(db: Db): Promise<PublishedDay[]> {
  return read(db, sql`true`, daysListed);
}

/** All days of a month (YYYY-MM) that have a digest, newest first. */
export function listProofDaysOf(db: Db, month: string): Promise<PublishedDay[]> {
  const first = sql`${`${month}-01`}::date`;
  return read(db, sql`day >= ${first} and day < ${first} + interval '1 month'`, 31);
}

/** The day of the first digest; null: there is none yet. */
export async function findFirstProofDay(db: Db): Promise<string | null> {
  const [row] = await readRows(db, sql`select min(day)::text as day from proof_days`, {
    day: orNull(text),
  });
  return row?.day ?? null;
}

/** The newest day that has a tree of what is owed, or that day (YYYY-MM-DD), of the last 31; null: it has none. */
export async function findOwedDay(db: Db, of: string | null = null): Promise<PublishedDay | null> {
  const isThis = of === null ? sql`true` : sql`day = ${of}::date`;
  const isHere = sql`exists (select from proof_nodes n where n.day = d.day and n.height = 0)`;
  const [day] = await read(db, sql`root is not null and ${isThis} and ${isHere}`, 1);
  return day ?? null;
}

/** Days whose tree is here, the newest first. */
export async function listOwedDays(db: Db): Promise<string[]> {
  const days = await readRows(
    db,
    sql`select d.day::text from proof_days d where root is not null
           and exists (select from proof_nodes n where n.day = d.day and n.height = 0) order by d.day desc limit 31`,
    { day: text },
  );
  return days.map(({ day }) => day);
}

/** The first day, of those on which a seal was there, whose digest stands on it; null until there is one. */
export async function findCoveringDay(db: Db, sealNumber: string): Promise<PublishedDay | null> {
  const days = await read(
    db,
    sql`day = (select d.day from ledger_seals s join proof_days d on d.seal_number >= s.number and d.day >= (s.sealed_at at time zone 'UTC')::date
                where s.number = ${sealNumber}::bigint order by d.day limit 1)`,
    1,
  );
  return days[0] ?? null;
}

function read(db: Db, which: SQL, limit: number): Promise<PublishedDay[]> {
  return readRows(
    db,
    sql`select day::text, encode(previous_digest, 'hex') as "previousDigest",
               seal_number::text as "sealNumber", encode(seal_hash, 'hex') as "sealHash",
               audit_link::text as "auditLink", encode(audit_hash, 'hex') as "auditHash", ${selectStandsOn},
               encode(digest, 'hex') as digest, published_at as "publishedAt"
          from proof_days d where ${which} order by day desc limit ${limit}`,
    columns,
  );
}
