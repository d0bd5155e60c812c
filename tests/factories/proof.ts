import type pg from "pg";

/** Writes the first digest, of so many days ago, on nothing: the days since then are made up for at the next publication. */
export async function createFirstProofDay(owner: pg.Pool, daysAgo: number): Promise<void> {
  await owner.query(
    `insert into proof_days (day, previous_digest, digest, published_at)
     select day, before, proof_digest(row (day, before, null, null, null, null, null, null)::proof_days), now()
       from (select (now() at time zone 'UTC')::date - $1::int as day, decode(repeat('00', 32), 'hex') as before) first`,
    [daysAgo],
  );
}
