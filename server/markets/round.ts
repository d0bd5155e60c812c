import type { PricedAsset } from "#core/price.ts";
import { sql } from "#server/platform/sql.ts";
import type { Config } from "../platform/config.ts";
import { findRow, number } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";
import type { Log } from "../platform/log/log.ts";

/** What a round of questions is given. */
export interface MarketContext {
  db: Db;
  config: Pick<Config, "prices" | "bitcoinNetworkUrl" | "demo">;
  log: Log;
  /** The worker ends: nobody is waited for any more, and what was not answered is no failure. */
  stopping?: AbortSignal;
}

/** A line for the log: something is now otherwise than after the round before. */
export interface Change {
  level: "info" | "warn";
  words: string;
  facts: Record<string, unknown>;
}

/** A price that was found. */
export interface FoundPrice {
  asset: PricedAsset;
  usdE8: bigint;
}

/**
 * Begins a round of questions, if no worker has begun one within `gapMs`: of any number of workers one gets
 * the moment of the round, by the database's clock, and all others null. Nothing is locked meanwhile, so a
 * worker that dies during its round costs that round alone.
 */
export async function beginRound(db: Db, topic: string, gapMs: number): Promise<Date | null> {
  const begun = await findRow(
    db,
    sql`
    insert into market_rounds as r (topic, begun_at) values (${topic}, clock_timestamp())
    on conflict (topic) do update set begun_at = excluded.begun_at
      where r.begun_at <= excluded.begun_at - make_interval(secs => ${gapMs / 1000})
        -- A clock that was set back must not stop the rounds until it has caught up.
        or r.begun_at > excluded.begun_at + interval '1 minute'
    returning floor(extract(epoch from begun_at) * 1000)::bigint as "begunAtMs"`,
    { begunAtMs: number },
  );
  return begun && new Date(begun.begunAtMs);
}
