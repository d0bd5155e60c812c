import { type Coin, coins } from "#core/asset.ts";
import {
  moment,
  oneOf,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const custodyMoves = [
  "deposit",
  "deposit-reversal",
  "withdrawal",
  "network-fee",
  "payout",
  "payout-correction",
  "equity-funding",
  "equity-drawing",
  "wallet-transfer",
  "reversal",
] as const;
export type CustodyMove = (typeof custodyMoves)[number];

const columns = {
  what: oneOf(custodyMoves),
  /** Of the deposit, withdrawal, batch, payout or adjustment. */
  id: text,
  at: moment,
  asset: oneOf(coins),
  /** Positive: it came in. */
  units,
};
/** Something that moved coins in custody since a moment, as its document says. */
export type MoveSince = RowOf<typeof columns>;

/**
 * What moved custody of each coin since its moment, newest first: at most so many of each kind, each found by an index of its documents, so that no
 * transfer is searched for. A deposit whose block left the chain stays in custody until its credit is reversed.
 */
export async function listMovesSince(
  db: Db,
  { since, limit }: { since: Record<Coin, Date>; limit: number },
): Promise<MoveSince[]> {
  const at = (moment: Date) => sql`${moment.toISOString()}::timestamptz`;
  const from = at(new Date(Math.min(...Object.values(since).map(Number))));
  /** Found by an index from the oldest count on, and then by that of its coin. */
  const later = (
    moved: string,
    asset: string,
  ) => sql`${sql.raw(moved)} > ${from} and ${sql.raw(moved)} >
    case ${sql.raw(asset)} when 'BTC' then ${at(since.BTC)} when 'ETH' then ${at(since.ETH)} else ${at(since.USDT)} end`;
  return readRows(
    db,
    sql`
    select what, id, at, asset, units from (
      (select 'deposit' as what, id, reviewed_at as at, coin_of(method) as asset, quantity_units as units from deposits
        where state = 'approved' and ${later("reviewed_at", "coin_of(method)")} order by reviewed_at desc limit ${limit})
      union all
      (select 'deposit', id, reviewed_at, coin_of(method), quantity_units from deposits
        where state in ('orphaned', 'reversed') and ${later("reviewed_at", "coin_of(method)")} order by reviewed_at desc limit ${limit})
      union all
      -- There are few of them: the transfer of each is looked up.
      (select 'deposit-reversal', d.id, t.occurred_at, coin_of(d.method), -d.quantity_units
         from deposits d cross join lateral (select occurred_at from ledger_transfer(d.reversal_id) offset 0) t
        where d.state = 'reversed' and ${later("t.occurred_at", "coin_of(d.method)")} order by t.occurred_at desc limit ${limit})
      union all
      (select 'withdrawal', id, ended_at, asset, fee_units - units from withdrawals
        where state = 'settled' and ${later("ended_at", "asset")} order by ended_at desc limit ${limit})
      union all
      (select 'network-fee', b.id, b.ended_at, 'BTC', -v.fee_units
         from withdrawal_batches b join withdrawal_batch_versions v on v.id = b.mined_version_id
        where b.state = 'settled' and ${later("b.ended_at", "'BTC'")} and b.formed_at > ${from} - interval '60 days'
        order by b.formed_at desc limit ${limit})
      union all
      (select 'network-fee', b.id, max(p.ended_at), 'ETH', -sum(p.fee_units)
         from withdrawal_batches b join withdrawal_payments p on p.batch_id = b.id
        where b.chain = 'ethereum' and p.fee_units > 0 and ${later("p.ended_at", "'ETH'")} and b.formed_at > ${from} - interval '60 days'
        group by b.id order by b.formed_at desc limit ${limit})
      union all
      (select 'payout', id, recorded_at, 'BTC', units from pool_payouts
        where state = 'recorded' and units > 0 and corrects is null and ${later("recorded_at", "'BTC'")} order by recorded_at desc limit ${limit})
      union all
      (select 'payout-correction', c.id, c.recorded_at, 'BTC', c.units - o.units
         from pool_payouts c join pool_payouts o on o.id = c.corrects
        where c.state = 'recorded' and c.units <> o.units and ${later("c.recorded_at", "'BTC'")} order by c.recorded_at desc limit ${limit})
      union all
      -- One of each coin: the network's fee for USDT is paid in ether.
      (select a.kind, a.id, a.decided_at, leg.asset, case a.kind when 'reversal' then leg.units else -leg.units end
         from adjustments a join adjustments o on o.id = coalesce(a.reverses, a.id) cross join lateral unnest(legs_of_adjustment(o)) leg
        where a.state = 'approved' and a.state <> 'open' and o.kind in ('equity-funding', 'equity-drawing', 'wallet-transfer')
          and leg.account = 'custody' and ${later("a.decided_at", "leg.asset")} order by a.decided_at desc limit ${limit})
    ) moves order by at desc, id limit ${limit}`,
    columns,
  );
}
