import type pg from "pg";
import type { SiteLoad } from "./site-load.ts";

/**
 * What the database has of forms that were acknowledged: each exactly once, and the coins of each withdrawal put aside once.
 *
 * @returns how many it has not, or more than once; all that was asked for was asked until it was acknowledged
 */
export async function countLostAndDoubled(
  owner: Pick<pg.Pool, "query">,
  acknowledged: SiteLoad["acknowledged"],
) {
  const { rows } = await owner.query<{ lost: number; doubled: number; astray: number }>(
    `with sent as (select * from json_to_recordset($1) as (what text, key uuid, "customerId" uuid, sats numeric)),
          found as (
            select s.key, count(f.key)::int as times
              from sent s left join (
                select request_key as key, customer_id as who from withdrawals
                union all select submission_key, customer_id from deposits
              ) f on f.key = s.key and f.who = s."customerId"
             group by s.key),
          held as (
            select "customerId", sum(sats) as sats,
                   (select coalesce(sum(balance), 0) from ledger_accounts
                     where owner_id = "customerId" and account = 'held' and asset = 'BTC') as held
              from sent group by "customerId")
     select (select count(*) from found where times = 0)::int as lost,
            (select count(*) from found where times > 1)::int as doubled,
            (select count(*) from held where sats <> held)::int as astray`,
    [
      JSON.stringify(acknowledged, (_, value) =>
        typeof value === "bigint" ? String(value) : value,
      ),
    ],
  );
  return rows[0];
}
