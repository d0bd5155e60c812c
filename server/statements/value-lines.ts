import { valueInUsdCents } from "#core/price.ts";
import {
  flag,
  json,
  moment,
  oneOf,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import { sql } from "#server/platform/sql.ts";
import type { StatementLine } from "../ledger/list-statement.ts";
import type { Db, Tx } from "../platform/database.ts";
import { documentOf, type EntryValue, type StatementEntry } from "./entry.ts";

const columns = {
  contractId: orNull(text),
  usdE8: orNull(units),
  observedAt: orNull(moment),
  basis: orNull(oneOf(["close", "mining-day", "quote", "deposit", "withdrawal", "moment"])),
  sources: orNull(json<string[]>()),
  simulated: orNull(flag),
};
type Found = RowOf<typeof columns>;

/**
 * Says of each line what it was worth and which document caused it, in one statement.
 *
 * What was valued when it happened keeps that price: a mining day, a purchase, a deposit, a withdrawal when it was requested. Of anything
 * else the price of its moment is the first of its ten minutes, if it was known by then, or the first of the ten minutes before:
 * those are the ones that `markets/sweep-prices` never takes away, so that a value is the same whenever it is asked for.
 */
export async function valueLines(
  db: Db | Tx,
  customerId: string,
  lines: StatementLine[],
): Promise<StatementEntry[]> {
  if (lines.length === 0) return [];
  const rows = await readRows(
    db,
    sql`
    with asked as materialized (
      select place, asset, at, kind,
             case when source ~ '^mining-run:[0-9]{4}-[0-9]{2}-[0-9]{2}$' then substring(source, 12)::date end as run_day,
             case when kind = 'contract-purchase' and source ~ '^contract:[0-9a-f-]{36}$'
                  then substring(source, 10)::uuid end as contract_id,
             case when kind = 'deposit' and source ~ '^deposit:[0-9a-f-]{36}$' then substring(source, 9)::uuid end as deposit_id,
             case when kind = 'withdrawal-request' and source ~ '^withdrawal:[0-9a-f-]{36}$'
                  then substring(source, 12)::uuid end as withdrawal_id,
             date_bin('10 minutes', at, 'epoch') as since
        from unnest(${array(lines, ({ asset }) => asset)}::text[], ${array(lines, ({ occurredAt }) => occurredAt.toISOString())}::timestamptz[],
                    ${array(lines, ({ kind }) => kind)}::text[], ${array(lines, ({ source }) => source)}::text[])
             with ordinality as each (asset, at, kind, source, place)
    )
    select receipt.contract_id as contract_id,
           coalesce(p.usd_e8, k.close_usd_e8) as usd_e8,
           coalesce(p.observed_at, (k.day + 1)::timestamp at time zone 'UTC') as observed_at,
           case when p.id is null then 'close' when run.price_id is not null then 'mining-day'
                when quote.price_id is not null then 'quote' when deposit.price_id is not null then 'deposit'
                when withdrawal.price_id is not null then 'withdrawal' else 'moment' end as basis,
           to_json(case when p.id is null then k.sources
                else array(select q.source from market_quotes q
                            where q.price_id = p.id and q.verdict = 'agreed' order by q.source) end) as sources,
           coalesce(p.simulated, k.simulated) as simulated
      from asked
      left join mining_runs run on run.day = asked.run_day and asked.asset = 'BTC'
      left join contracts c on c.id = asked.contract_id
      left join contract_quotes quote on quote.id = c.quote_id
      left join lateral (
        -- One that came later was not known then.
        select m.id as price_id from deposits d join market_prices m on m.id = coalesce(d.price_id, d.payment_price_id)
         where d.id = asked.deposit_id and m.asset = asked.asset and m.observed_at <= asked.at) deposit on true
      left join withdrawals withdrawal on withdrawal.id = asked.withdrawal_id and withdrawal.asset = asked.asset
      cross join lateral (
        select coalesce(run.price_id, quote.price_id, deposit.price_id, withdrawal.price_id) as price_id) pinned
      left join lateral (
        select first.id from market_prices first
         where pinned.price_id is null
           and first.asset = asked.asset and first.observed_at >= asked.since and first.observed_at <= asked.at
         order by first.observed_at limit 1) now on true
      left join lateral (
        select first.id from market_prices first
         where pinned.price_id is null and now.id is null
           and first.asset = asked.asset and first.observed_at >= asked.since - interval '10 minutes'
           and first.observed_at < asked.since
         order by first.observed_at limit 1) before on true
      left join market_prices p on p.id = coalesce(pinned.price_id, now.id, before.id)
      left join market_candles k
        on p.id is null and k.asset = asked.asset and k.is_final and k.day = (asked.at at time zone 'UTC')::date
      left join lateral (
        select d.contract_id from mining_customer_days one
          join contracts own on own.customer_id = one.customer_id
          join mining_contract_days d on d.contract_id = own.id and d.day = one.day
         where one.customer_id = ${customerId} and one.day = asked.run_day and one.contracts = 1 limit 1) receipt on true
     order by asked.place`,
    columns,
  );
  return lines.map((line, place) => {
    const found = rows[place];
    if (!found) throw new Error("every line that was asked for has a row");
    return { ...line, value: readValue(line, found), document: documentOf(line.source, found) };
  });
}

function array(lines: StatementLine[], read: (line: StatementLine) => string) {
  return sql.param(lines.map(read));
}

function readValue({ units, asset }: StatementLine, found: Found): EntryValue | null {
  const { usdE8, observedAt, basis, sources, simulated } = found;
  if (usdE8 === null || observedAt === null || basis === null) return null;
  const size = valueInUsdCents(units < 0n ? -units : units, asset, usdE8);
  return {
    usdCents: units < 0n ? -size : size,
    usdE8,
    observedAt,
    basis,
    sources: sources ?? [],
    simulated: simulated ?? false,
  };
}
