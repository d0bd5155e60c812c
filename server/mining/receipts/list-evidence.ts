import {
  type Column,
  flag,
  json,
  moment,
  orNull,
  type RowOf,
  readRows,
  text,
  units,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** An output at a pool's address, in a block. */
export interface CoverCoin {
  txid: string;
  output: number;
  height: number;
  blockHash: string;
  units: bigint;
}

const coverCoins: Column<CoverCoin[]> = (value) =>
  json<(Omit<CoverCoin, "units"> & { units: number })[]>()(value).map((coin) => ({
    ...coin,
    units: units(coin.units),
  }));

export const evidenceColumns = {
  payoutId: text,
  pool: text,
  units,
  deliveredGhs: units,
  txid: orNull(text),
  statementId: orNull(text),
  statementName: orNull(text),
  /** Hexadecimal. */
  statementSha256: orNull(text),
  /** Where the worker read it; null: staff entered it, or brought the pool's file. */
  askedHost: orNull(text),
  recordedAt: moment,
  /** Whether coins of the pool covered it when it was recorded, and those that do now; null: none, or not all any more. */
  covered: flag,
  coins: orNull(coverCoins),
  /** Why our node did not see them, and who said so. */
  unseenReason: orNull(text),
  unseenBy: orNull(text),
};
/** A pool's payout, and what proves it. */
export type Evidence = RowOf<typeof evidenceColumns>;

/** Over a payout `p`. */
export const selectedEvidence = sql.raw(`
  p.id as payout_id, o.name as pool, p.units, p.delivered_ghs, p.txid, p.statement_id, s.name as statement_name,
  encode(s.sha256, 'hex') as statement_sha256, s.asked_host, p.decided_at as recorded_at, p.covered, p.unseen_reason,
  case when p.covered then coins_of_payout(p) end as coins,
  case when p.unseen_reason is not null then (
    select string_agg(u.name, ' and ' order by a.position) from audit_log a join users u on u.id = a.operator_id
     where a.id in (p.proposal_action_id, p.decision_action_id)) end as unseen_by`);
export const evidenceTables = sql.raw(`
  join pools o on o.id = p.pool_id left join pool_statements s on s.id = p.statement_id`);

/** What a posted day rests on. None: no pool counted on the day. */
export async function listEvidenceOfDay(db: Db | Tx, day: string): Promise<Evidence[]> {
  return readRows(
    db,
    sql`select ${selectedEvidence}
          from mining_run_payouts i join pool_payouts p on p.id = i.payout_id ${evidenceTables}
         where i.day = ${day}::date order by o.name`,
    evidenceColumns,
  );
}

/** The newest payouts in force of which two people said that our node did not see the coins: what anyone may read of them. */
export async function listUnseenPayouts(db: Db, limit: number) {
  const rows = await readRows(
    db,
    sql`select p.day::text, ${selectedEvidence}
          from pool_payouts p ${evidenceTables}
         where p.unseen_reason is not null and p.state = 'recorded'
           and not exists (select from pool_payouts n where n.corrects = p.id and n.state = 'recorded')
         order by p.day desc, o.name limit ${limit}`,
    { day: text, ...evidenceColumns },
  );
  return rows.map(({ payoutId, day, pool, units: paid, unseenReason, unseenBy }) => ({
    payoutId,
    day,
    pool,
    units: paid,
    unseenReason,
    unseenBy,
  }));
}

export type UnseenPayout = Awaited<ReturnType<typeof listUnseenPayouts>>[number];
