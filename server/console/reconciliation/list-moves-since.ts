import type { Coin } from "#core/asset.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

export type CustodyMove =
  | "deposit"
  | "withdrawal"
  | "network-fee"
  | "payout"
  | "equity-funding"
  | "equity-drawing"
  | "wallet-transfer";

/** Something that moved coins in custody since a moment, as its document says. */
export interface MoveSince {
  what: CustodyMove;
  /** Of the deposit, withdrawal, batch, payout or adjustment. */
  id: string;
  at: Date;
  asset: Coin;
  /** Positive: it came in. */
  units: bigint;
}

/**
 * What moved custody since a moment, newest first: at most so many of each kind, each found by an index of its documents, so that no
 * transfer is searched for.
 */
export async function listMovesSince(
  db: Db,
  { since, limit }: { since: Date; limit: number },
): Promise<MoveSince[]> {
  const from = sql`${since.toISOString()}::timestamptz`;
  const { rows } = await db.execute<{
    what: CustodyMove;
    id: string;
    at: string;
    asset: Coin;
    units: string;
  }>(sql`
    select what, id, at::text, asset, units from (
      (select 'deposit' as what, id, reviewed_at as at, coin_of(method) as asset, quantity_units as units from deposits
        where state = 'approved' and reviewed_at > ${from} order by reviewed_at desc limit ${limit})
      union all
      (select 'withdrawal', id, ended_at, asset, fee_units - units from withdrawals
        where state = 'settled' and ended_at > ${from} order by ended_at desc limit ${limit})
      union all
      (select 'network-fee', b.id, b.ended_at, 'BTC', -v.fee_units
         from withdrawal_batches b join withdrawal_batch_versions v on v.id = b.mined_version_id
        where b.state = 'settled' and b.ended_at > ${from} and b.formed_at > ${from} - interval '60 days'
        order by b.formed_at desc limit ${limit})
      union all
      (select 'network-fee', p.batch_id, p.ended_at, 'ETH', -p.fee_units
         from withdrawal_batches b join withdrawal_payments p on p.batch_id = b.id
        where b.chain = 'ethereum' and p.fee_units > 0 and p.ended_at > ${from} and b.formed_at > ${from} - interval '60 days'
        order by b.formed_at desc limit ${limit})
      union all
      (select 'payout', id, recorded_at, 'BTC', units from pool_payouts
        where state = 'recorded' and units > 0 and corrects is null and recorded_at > ${from} order by recorded_at desc limit ${limit})
      union all
      -- The network's fee for USDT is paid in ether.
      (select kind, id, decided_at, case when kind = 'wallet-transfer' and asset = 'USDT' then 'ETH' else asset end,
              case kind when 'equity-funding' then units when 'wallet-transfer' then -fee_units
                        else -units - case when asset = 'USDT' then 0 else fee_units end end
         from adjustments
        where state = 'approved' and state <> 'open' and kind in ('equity-funding', 'equity-drawing', 'wallet-transfer')
          and decided_at > ${from} order by decided_at desc limit ${limit})
    ) moves order by at desc, id limit ${limit}`);
  return rows.map((row) => ({ ...row, at: new Date(row.at), units: BigInt(row.units) }));
}
