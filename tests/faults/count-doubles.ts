import type pg from "pg";
import type { SiteLoad } from "./site-load.ts";

/**
 * What the database has of forms, each of which was sent until it was acknowledged: `lost` are not there, `doubled` are more than were
 * sent (or fewer, below 0), and of so many customers `astray` other coins were put aside than they asked for.
 */
export async function countLostAndDoubled(
  owner: Pick<pg.Pool, "query">,
  acknowledged: SiteLoad["acknowledged"],
) {
  const { rows } = await owner.query<{ lost: number; doubled: number; astray: number }>(
    `with sent as (select * from json_to_recordset($1) as (what text, key uuid, "customerId" uuid, sats numeric)),
          customers as (select "customerId" as id, sum(sats) as sats from sent group by 1),
          found as (
            select request_key as key, customer_id from withdrawals where customer_id in (select id from customers)
            -- Theirs are of 100 dollars; what they began with is worth 1.
            union all select submission_key, customer_id from deposits
                       where customer_id in (select id from customers) and claimed_usd_cents = 10000)
     select (select count(*) from sent s where not exists (
               select from found f where f.key = s.key and f.customer_id = s."customerId"))::int as lost,
            ((select count(*) from found) - (select count(*) from sent))::int as doubled,
            (select count(*) from customers c where sats <> (
               select coalesce(sum(balance), 0) from ledger_accounts
                where owner_id = c.id and account = 'held' and asset = 'BTC'))::int as astray`,
    [
      JSON.stringify(acknowledged, (_, value) =>
        typeof value === "bigint" ? String(value) : value,
      ),
    ],
  );
  return rows[0];
}
