import { type Coin, coins } from "#core/asset.ts";
import { sql } from "#server/platform/sql.ts";
import { number, oneOf, readRows } from "../platform/database/read-rows.ts";
import type { Db } from "../platform/database.ts";
import { memoizeFor } from "../platform/memoize-for.ts";

/** How long nine of ten recent deposits waited, in minutes; what there are too few of is missing. */
export interface UsualWaits {
  /** Of a payment on chain, from the moment we saw it until it was credited. */
  paymentMinutes: Partial<Record<Coin, number>>;
  /** Of a payment slip, until staff had decided. */
  slipMinutes: number | null;
}

/** Only the newest are looked at, and fewer than `enough` of a kind say nothing. */
const looked = 300;
const enough = 20;

/** Reads how long deposits usually take, from our own records; the same for everyone, so it is read once a minute. */
export const findUsualWaits = memoizeFor(
  60_000,
  () => "",
  async (db: Db): Promise<UsualWaits> => {
    const rows = await readRows(
      db,
      sql`
      select asset::text as of, ceil(percentile_disc(0.9) within group (order by extract(epoch from settled_at - seen_at)) / 60)::integer as minutes
        from (select asset, seen_at, settled_at from chain_payments order by seen_at desc, id desc limit ${looked}) newest
       where settled_at is not null group by asset having count(*) >= ${enough}
      union all
      select 'slip', ceil(percentile_disc(0.9) within group (order by extract(epoch from reviewed_at - created_at)) / 60)::integer
        from (select created_at, reviewed_at, slip_id from deposits order by id desc limit ${looked}) newest
       where slip_id is not null and reviewed_at is not null having count(*) >= ${enough}`,
      { of: oneOf([...coins, "slip"]), minutes: number },
    );
    const waits: UsualWaits = { paymentMinutes: {}, slipMinutes: null };
    for (const { of, minutes } of rows) {
      if (of === "slip") waits.slipMinutes = minutes;
      else waits.paymentMinutes[of] = minutes;
    }
    return waits;
  },
);
