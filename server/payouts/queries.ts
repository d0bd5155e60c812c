import type { PoolFormat } from "#core/mining/pool-formats.ts";
import {
  aliasedTable,
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  isNull,
  ne,
  or,
  sql,
} from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { defaultLimitSats, type PayoutState } from "./payout.ts";
import { payoutLimits, poolPayouts, poolPulls, poolStatements, pools } from "./schema.ts";

export interface Pool {
  id: string;
  name: string;
  format: PoolFormat;
  countsFrom: string;
  countsUntil: string | null;
}

/** The pools, those that still count first. */
export async function listPools(db: Db | Tx): Promise<Pool[]> {
  return db
    .select({
      id: pools.id,
      name: pools.name,
      format: pools.format,
      countsFrom: pools.countsFrom,
      countsUntil: pools.countsUntil,
    })
    .from(pools)
    .orderBy(sql`${pools.countsUntil} is not null`, asc(pools.name))
    .limit(200);
}

/** The amount above which a payout needs two people. */
export async function getPayoutLimit(db: Db | Tx): Promise<bigint> {
  const [last] = await db
    .select({ sats: payoutLimits.secondPersonAboveSats })
    .from(payoutLimits)
    .orderBy(desc(payoutLimits.number))
    .limit(1);
  return last?.sats ?? defaultLimitSats;
}

/** What this person may still record alone, in satoshis; null while no other person decides: then the limit alone applies. */
export async function findLeftForOne(db: Db | Tx, operatorId: string): Promise<bigint | null> {
  const { rows } = await db.execute<{ sats: string | null }>(
    sql`select payout_left_for_one(${operatorId})::text as sats`,
  );
  const sats = rows[0]?.sats ?? null;
  return sats === null ? null : BigInt(sats);
}

/** Whether what was paid fits the hashrate that it was paid for, by what the network paid on that day. */
export async function fitsHashrate(
  db: Db | Tx,
  { units, deliveredGhs, day }: { units: bigint; deliveredGhs: bigint; day: string },
): Promise<boolean> {
  const { rows } = await db.execute<{ fits: boolean }>(
    sql`select payout_fits_hashrate(${units}, ${deliveredGhs}, ${day}::date) as fits`,
  );
  return rows[0]?.fits ?? false;
}

const proposalAct = aliasedTable(auditLog, "proposal_act");
const decisionAct = aliasedTable(auditLog, "decision_act");
const proposer = aliasedTable(users, "proposer");
const decider = aliasedTable(users, "decider");

function selectPayouts(db: Db | Tx) {
  return db
    .select({
      ...getTableColumns(poolPayouts),
      poolName: pools.name,
      statementName: poolStatements.name,
      statementSource: poolStatements.source,
      statementSha256: sql<string | null>`encode(${poolStatements.sha256}, 'hex')`,
      proposerId: proposalAct.operatorId,
      proposedBy: proposer.name,
      decidedBy: decider.name,
      /** Another payout that is recorded in its place. */
      correctedBy: sql<string | null>`(select c.id from pool_payouts c
        where c.corrects = ${poolPayouts.id} and c.state = 'recorded')`,
    })
    .from(poolPayouts)
    .innerJoin(pools, eq(pools.id, poolPayouts.poolId))
    .leftJoin(poolStatements, eq(poolStatements.id, poolPayouts.statementId))
    .leftJoin(proposalAct, eq(proposalAct.id, poolPayouts.proposalActionId))
    .leftJoin(proposer, eq(proposer.id, proposalAct.operatorId))
    .leftJoin(decisionAct, eq(decisionAct.id, poolPayouts.decisionActionId))
    .leftJoin(decider, eq(decider.id, decisionAct.operatorId))
    .$dynamic();
}

export type Payout = Awaited<ReturnType<typeof selectPayouts>>[number];

/** Payouts, the newest day first, in pages by `after`: the id of the last one of the page before. */
export async function listPayouts(
  db: Db | Tx,
  { state, after, limit }: { state?: PayoutState; after?: string | undefined; limit: number },
): Promise<Payout[]> {
  const isOlder = after
    ? sql`(${poolPayouts.day}, ${poolPayouts.proposedAt}, ${poolPayouts.id}) < (select day, proposed_at, id from pool_payouts where id = ${after})`
    : undefined;
  return selectPayouts(db)
    .where(and(state ? eq(poolPayouts.state, state) : undefined, isOlder))
    .orderBy(desc(poolPayouts.day), desc(poolPayouts.proposedAt), desc(poolPayouts.id))
    .limit(limit);
}

/**
 * A payout, with the others of its pool and day (what it corrects, what corrects it, what was refused), and with those of
 * other days that its transaction stands for.
 */
export async function findPayout(
  db: Db | Tx,
  payoutId: string,
): Promise<{ payout: Payout; others: Payout[]; ofTransaction: Payout[] } | null> {
  const [payout] = await selectPayouts(db).where(eq(poolPayouts.id, payoutId));
  if (!payout) return null;
  const sameDay = and(eq(poolPayouts.poolId, payout.poolId), eq(poolPayouts.day, payout.day));
  const all = await selectPayouts(db).where(sameDay).orderBy(asc(poolPayouts.proposedAt)).limit(50);
  const ofTransaction =
    payout.txid === null
      ? []
      : await selectPayouts(db)
          .where(and(eq(poolPayouts.txid, payout.txid), ne(poolPayouts.day, payout.day)))
          .orderBy(asc(poolPayouts.day), asc(poolPayouts.proposedAt))
          .limit(50);
  return { payout, others: all.filter(({ id }) => id !== payoutId), ofTransaction };
}

/** Who stands for a payout: the member of staff of its first act. */
export async function findProposer(db: Db | Tx, actionId: string): Promise<string | null> {
  const [act] = await db
    .select({ operatorId: auditLog.operatorId })
    .from(auditLog)
    .where(eq(auditLog.id, actionId));
  return act?.operatorId ?? null;
}

/** A statement without its bytes. */
export async function findStatement(db: Db | Tx, statementId: string) {
  const [statement] = await db
    .select({
      id: poolStatements.id,
      poolId: poolStatements.poolId,
      poolName: pools.name,
      format: pools.format,
      source: poolStatements.source,
      name: poolStatements.name,
      bytes: sql<number>`octet_length(${poolStatements.content})`,
      sha256: sql<string>`encode(${poolStatements.sha256}, 'hex')`,
      receivedAt: poolStatements.receivedAt,
      by: users.name,
    })
    .from(poolStatements)
    .innerJoin(pools, eq(pools.id, poolStatements.poolId))
    .leftJoin(auditLog, eq(auditLog.id, poolStatements.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(eq(poolStatements.id, statementId));
  return statement ?? null;
}

/** What a pool said, byte for byte. */
export async function readStatementBytes(
  db: Db | Tx,
  statementId: string,
): Promise<Uint8Array | null> {
  const [row] = await db
    .select({ content: poolStatements.content })
    .from(poolStatements)
    .where(eq(poolStatements.id, statementId));
  return row?.content ?? null;
}

/** The statements that came last, with how many payouts rest on each. */
export function listStatements(db: Db | Tx, { poolId, limit }: { poolId?: string; limit: number }) {
  return db
    .select({
      id: poolStatements.id,
      poolName: pools.name,
      source: poolStatements.source,
      name: poolStatements.name,
      receivedAt: poolStatements.receivedAt,
      payouts: count(poolPayouts.id),
    })
    .from(poolStatements)
    .innerJoin(pools, eq(pools.id, poolStatements.poolId))
    .leftJoin(poolPayouts, eq(poolPayouts.statementId, poolStatements.id))
    .where(poolId ? eq(poolStatements.poolId, poolId) : undefined)
    .groupBy(poolStatements.id, pools.name)
    .orderBy(desc(poolStatements.receivedAt), desc(poolStatements.id))
    .limit(limit);
}

export interface DayEvidence {
  day: string;
  /** Pools that count on this day. */
  pools: number;
  /** Those of them that have a recorded payout. */
  recorded: number;
  /** Payouts that wait for a person. */
  waiting: number;
  complete: boolean;
  payoutSats: bigint;
  deliveredGhs: bigint;
}

/**
 * What the pools said of each day from one to another, both included. A day is complete when at least one pool counts and
 * each that does has a recorded payout; of a chain of corrections the last one counts.
 */
export async function listEvidence(
  db: Db | Tx,
  { from, until }: { from: string; until: string },
): Promise<DayEvidence[]> {
  const { rows } = await db.execute<{
    day: string;
    pools: number;
    recorded: number;
    waiting: number;
    payout: string;
    delivered: string;
  }>(sql`
    select d.day::date::text as day, counting.pools, coalesce(said.recorded, 0) as recorded,
           coalesce(said.waiting, 0) as waiting, coalesce(said.payout, 0) as payout, coalesce(said.delivered, 0) as delivered
      from generate_series(${from}::date, ${until}::date, interval '1 day') d (day)
      cross join lateral (
        select count(*)::int as pools from pools
         where d.day::date between counts_from and coalesce(counts_until, 'infinity')) counting
      left join lateral (
        select count(*) filter (where p.state = 'recorded')::int as recorded,
               count(*) filter (where p.state = 'proposed')::int as waiting,
               sum(p.units) filter (where p.state = 'recorded') as payout,
               sum(p.delivered_ghs) filter (where p.state = 'recorded') as delivered
          from pool_payouts p
          join pools on pools.id = p.pool_id and d.day::date between pools.counts_from and coalesce(pools.counts_until, 'infinity')
         where p.day = d.day::date and p.state <> 'refused'
           and not exists (select from pool_payouts c where c.corrects = p.id and c.state = 'recorded')) said on true
     order by 1`);
  return rows.map((row) => ({
    day: row.day,
    pools: row.pools,
    recorded: row.recorded,
    waiting: row.waiting,
    complete: row.pools > 0 && row.recorded >= row.pools,
    payoutSats: BigInt(row.payout),
    deliveredGhs: BigInt(row.delivered),
  }));
}

/** How the worker gets on with the pools that it asks. */
export function listPulls(db: Db | Tx) {
  return db
    .select({ ...getTableColumns(poolPulls), poolName: pools.name })
    .from(poolPulls)
    .innerJoin(pools, eq(pools.id, poolPulls.poolId))
    .where(or(isNull(pools.countsUntil), sql`jsonb_array_length(${poolPulls.differences}) > 0`))
    .limit(50);
}
