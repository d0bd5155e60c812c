import { type Coin, coins } from "#core/asset.ts";
import type { SalesStop } from "#core/mining/sales-stop.ts";
import type { SourceHealth } from "#core/payments/source-health.ts";
import type { BatchState } from "#core/payments/withdrawal.ts";
import type { OperatorRole } from "#core/permissions.ts";
import type { PricedAsset, RoundTrouble } from "#core/price.ts";
import { utcDay } from "#core/utc-day.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { PayoutState } from "#server/payouts/payout.ts";
import { preparedSql } from "#server/platform/database/prepared.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** How the business stands at a moment: who answers, what was done, what is owed. */
export interface Standing {
  /** Staff who can act. */
  staff: Array<{ id: string; name: string; role: OperatorRole }>;
  /** When a worker last began something of its schedule. */
  workerSeenAt: Date | null;
  sources: Array<{ chain: WalletChain; health: SourceHealth; since: Date; askedAt: Date }>;
  prices: Array<{ asset: PricedAsset; askedAt: Date; since: Date; trouble: RoundTrouble | null }>;
  pulls: Array<{ pool: string; failures: number; askedAt: Date; askAgainAt: Date }>;
  /** Pools whose coins no payout has explained for a week; null: coins that cover payouts are missing. */
  coinsAmiss: Array<{ pool: string; unexplainedSince: Date | null }>;
  /** The day that is worked out next; null: no pool counts yet. */
  nextDay: {
    day: string;
    /** Since when it is being posted; null: it is not. */
    postingSince: Date | null;
    /** Whether it is posted automatically. */
    byItself: boolean;
    /** Pools that count on it and have no payout recorded. */
    missing: string[];
    /** The newest payout recorded for it. */
    recordedAt: Date | null;
  } | null;
  lastDay: { day: string; deliveredGhs: bigint; activeGhs: bigint } | null;
  fleet: {
    capacityGhs: bigint;
    soldGhs: bigint;
    sellsNothing: boolean;
    salesStop: SalesStop | null;
    outages: number;
  };
  coins: Array<{
    asset: Coin;
    /** To customers, and what of it the ledger has in custody. */
    owedUnits: bigint;
    custodyUnits: bigint;
    counted: { units: bigint; custodyUnits: bigint; asOf: Date } | null;
  }>;
  /** When the oldest transfer that no seal covers was made; null: each is sealed. */
  unsealedSince: Date | null;
  /** When the newest proof of what is owed was published, where that is more than 26 hours ago by PostgreSQL's clock. */
  proofAt: Date | null;
  backups: {
    backup: Date | null;
    wal: Date | null;
    drill: { at: Date; upTo: Date; seconds: number; holds: boolean } | null;
    begunAt: Date | null;
  };
  /** Those that are almost full. */
  disks: Array<{ place: string; since: Date }>;
  /** Secrets whose time to be rotated has come. */
  keys: Array<{ place: string; since: Date }>;
  /** Mails that wait to be sent, and jobs that should have begun. */
  mails: { count: number; oldestAt: Date | null; recipients: number; sentAt: Date | null };
  jobs: { count: number; oldestAt: Date | null };
  /** Payouts of the last UTC day that is over, and others that were recorded today. */
  payouts: Array<{
    id: string;
    day: string;
    pool: string;
    units: bigint;
    state: PayoutState;
  }>;
  /** Batches that go on, and those formed today. */
  batches: Array<{
    id: string;
    day: string;
    chain: WalletChain;
    state: BatchState;
    broadcastAt: Date | null;
    /** Of the version that was built last. */
    isSigned: boolean;
    orderedAt: Date | null;
    /** Whether a block holds it, or has overtaken it. */
    isMined: boolean;
    payments: number;
    /** Since when the worker cannot follow it. */
    incidentSince: Date | null;
  }>;
}

const at = sql`${sql.placeholder("now")}::timestamptz`;
const today = sql`${sql.placeholder("today")}::date`;

/** What Today lists of payouts; more are in the list that its lines lead to. */
const shown = sql.raw("3");
/** Of batches more is read than is listed: any of them can be late. */
const mostBatches = sql.raw("100");

const select = preparedSql<{ standing: Row }>(
  "console_standing",
  sql`select json_build_object(
    'staff', (select json_agg(json_build_object('id', u.id, 'name', u.name, 'role', o.role) order by u.name)
                from operators o join users u on u.id = o.id join credentials c on c.user_id = o.id
               where o.state = 'active' and c.password is not null),
    'workerSeenAt', (select max(greatest(last_execution, known_since)) from graphile_worker._private_known_crontabs),
    'sources', (select json_agg(json_build_object('chain', chain, 'health', health, 'since', since, 'askedAt', asked_at) order by chain)
                  from chain_sources),
    'prices', (select json_agg(json_build_object('asset', asset, 'askedAt', asked_at, 'since', since, 'trouble', trouble) order by asset)
                 from market_assets),
    'pulls', (select json_agg(json_build_object('pool', p.name, 'failures', l.failures, 'askedAt', l.asked_at,
                                                'askAgainAt', l.ask_again_at) order by p.name)
                from pool_pulls l join pools p on p.id = l.pool_id where p.counts_until is null),
    'coinsAmiss', (select json_agg(json_build_object('pool', p.name, 'unexplainedSince', c.unexplained_since) order by p.name)
                     from coins_amiss c join pools p on p.id = c.pool_id
                    where c.unexplained_since is null or c.unexplained_since < ${at} - interval '7 days'),
    'nextDay', (select json_build_object('day', d.day,
                  'postingSince', (select started_at from mining_runs where day = d.day),
                  'byItself', coalesce((select by_itself from mining_settings order by number desc limit 1), true),
                  'missing', (select coalesce(json_agg(name order by name), '[]') from missing_pools(d.day)),
                  'recordedAt', (select max(decided_at) from pool_payouts where day = d.day and state = 'recorded'))
                  from next_mining_day() d (day) where d.day is not null),
    'lastDay', (select json_build_object('day', day, 'deliveredGhs', delivered_ghs::text, 'activeGhs', active_ghs::text)
                  from mining_runs where state = 'posted' order by day desc limit 1),
    'fleet', json_build_object(
      'capacityGhs', coalesce((select capacity_ghs from fleet_days where day = ${today}), fleet_capacity(${today}))::text,
      'soldGhs', (select (sold_ghs + owed_ghs)::text from fleet_days where day = ${today}),
      'sellsNothing', (select seen_ghs = 0 from sales_bounds()), 'salesStop', sales_stop(),
      'outages', (select count(*) from outages o where ended_at is null and withdrawn_at is null
                     and not exists (select from outages later where later.corrects = o.id))),
    'coins', (select json_agg(json_build_object('asset', b.asset, 'owed', b.owed::text, 'custody', b.custody::text, 'counted', h.units::text,
                                                'countedCustody', h.custody_units::text, 'asOf', h.as_of) order by b.asset)
                from (select asset, -sum(units) as owed, -sum(units) filter (where account = 'custody') as custody
                        from house_balances() group by asset) b
                left join custody_coverage h on h.asset = b.asset),
    'unsealedSince', (select t.created_at
                        from (select number, complete_through from ledger_seals order by number desc limit 1) seal
                        right join ledger_transfers t on t.number > seal.complete_through
                       where seal.number is null or not t.number <@ ledger_covered_after(seal.complete_through, seal.number)
                       order by t.number limit 1),
    'proofAt', (select max(published_at) from proof_days where root is not null and day > ${today} - 400
                having max(published_at) < now() - interval '26 hours'),
    'backups', (select json_object_agg(of, json_build_object('at', at, 'upTo', up_to, 'seconds', seconds, 'holds', holds)) from backup_marks),
    'disks', (select json_agg(json_build_object('place', place, 'since', short_since) order by place)
                from disks where short_since is not null and seen_at > ${at} - interval '10 minutes'),
    'keys', (select json_agg(json_build_object('place', place, 'since', since) order by place)
               from (select case of when 'auth-secret' then 'AUTH_SECRET' else 'DOCUMENT_KEYS' end as place,
                            max(noted_at) + make_interval(years => case of when 'auth-secret' then 2 else 1 end) as since
                       from installation_keys where of <> 'file-store' group by of) noted
              where since < ${at}),
    'mails', (select json_build_object('count', count(*), 'oldestAt', min(created_at), 'recipients', count(distinct recipient),
                  'sentAt', (select sent_at from mails where state = 'sent' order by id desc limit 1))
                from (select created_at, recipient from mails where state = 'queued' order by id limit 1000) queued),
    'jobs', (select json_build_object('count', count(*), 'oldestAt', min(run_at)) from graphile_worker.jobs
              where run_at < ${at} and locked_at is null and attempts < max_attempts),
    'payouts', (select json_agg(json_build_object('id', p.id, 'day', p.day, 'pool', o.name, 'units', p.units::text, 'state', p.state)
                                order by p.day desc, o.name)
                  from (select * from pool_payouts where state <> 'refused' and (day = ${today} - 1 or recorded_at >= ${today}::timestamp at time zone 'UTC')
                         order by day desc, proposed_at limit ${shown}) p
                  join pools o on o.id = p.pool_id),
    'batches', (select json_agg(json_build_object('id', b.id, 'day', b.day, 'chain', b.chain, 'state', b.state, 'broadcastAt', b.broadcast_at,
                    'isSigned', v.signed_at is not null, 'orderedAt', v.ordered_at, 'isMined', b.mined_hash is not null, 'incidentSince', t.since,
                    'payments', (select count(*) from withdrawals w where w.batch_id = b.id)) order by b.formed_at desc)
                  from (select * from withdrawal_batches
                         where state in ('formed', 'broadcast') or formed_at >= ${today}::timestamp at time zone 'UTC'
                         order by formed_at desc limit ${mostBatches}) b
                  cross join lateral (select * from withdrawal_batch_versions v where v.batch_id = b.id order by v.number desc limit 1) v
                  left join withdrawal_batch_incidents t on t.batch_id = b.id)) as standing`,
);

/** Reads how the business stands, in one statement: newest rows and balances by key, and no sum over a history. */
export async function readStanding(db: Db, now: Date): Promise<Standing> {
  const [row] = await select(db, { now: now.toISOString(), today: utcDay(now) });
  if (!row) throw new Error("one row was asked for");
  const { standing } = row;
  return {
    staff: standing.staff ?? [],
    workerSeenAt: moment(standing.workerSeenAt),
    sources: dated(standing.sources, "since", "askedAt"),
    prices: dated(standing.prices, "since", "askedAt"),
    pulls: dated(standing.pulls, "askedAt", "askAgainAt"),
    coinsAmiss: (standing.coinsAmiss ?? []).map(({ pool, unexplainedSince }) => ({
      pool,
      unexplainedSince: moment(unexplainedSince),
    })),
    nextDay: standing.nextDay && {
      ...standing.nextDay,
      postingSince: moment(standing.nextDay.postingSince),
      recordedAt: moment(standing.nextDay.recordedAt),
    },
    lastDay: standing.lastDay && {
      day: standing.lastDay.day,
      deliveredGhs: BigInt(standing.lastDay.deliveredGhs),
      activeGhs: BigInt(standing.lastDay.activeGhs),
    },
    fleet: {
      capacityGhs: BigInt(standing.fleet.capacityGhs),
      soldGhs: BigInt(standing.fleet.soldGhs ?? 0),
      sellsNothing: standing.fleet.sellsNothing,
      salesStop: standing.fleet.salesStop,
      outages: standing.fleet.outages,
    },
    coins: coins.flatMap((coin) => {
      const found = standing.coins?.find(({ asset }) => asset === coin);
      return found ? [asCoin(found)] : [];
    }),
    unsealedSince: moment(standing.unsealedSince),
    proofAt: moment(standing.proofAt),
    backups: asBackups(standing.backups),
    disks: dated(standing.disks, "since"),
    keys: dated(standing.keys, "since"),
    mails: {
      ...standing.mails,
      oldestAt: moment(standing.mails.oldestAt),
      sentAt: moment(standing.mails.sentAt),
    },
    jobs: { count: standing.jobs.count, oldestAt: moment(standing.jobs.oldestAt) },
    payouts: (standing.payouts ?? []).map((each) => ({ ...each, units: BigInt(each.units) })),
    batches: (standing.batches ?? []).map((each) => ({
      ...each,
      orderedAt: moment(each.orderedAt),
      broadcastAt: moment(each.broadcastAt),
      incidentSince: moment(each.incidentSince),
    })),
  };
}

/** As JSON has it: moments and large numbers are text, and an empty list is null. */
interface Row {
  staff: Standing["staff"] | null;
  workerSeenAt: string | null;
  sources: Told<Standing["sources"][number], "since" | "askedAt">[] | null;
  prices: Told<Standing["prices"][number], "since" | "askedAt">[] | null;
  pulls: Told<Standing["pulls"][number], "askedAt" | "askAgainAt">[] | null;
  coinsAmiss: Told<Standing["coinsAmiss"][number], "unexplainedSince">[] | null;
  nextDay: Told<NonNullable<Standing["nextDay"]>, "postingSince" | "recordedAt"> | null;
  lastDay: Record<"day" | "deliveredGhs" | "activeGhs", string> | null;
  fleet: {
    capacityGhs: string;
    soldGhs: string | null;
    sellsNothing: boolean;
    salesStop: SalesStop | null;
    outages: number;
  };
  coins: CoinRow[] | null;
  unsealedSince: string | null;
  proofAt: string | null;
  backups: Partial<Record<"backup" | "wal" | "drill" | "begun", BackupRow>> | null;
  disks: Told<Standing["disks"][number], "since">[] | null;
  keys: Told<Standing["keys"][number], "since">[] | null;
  mails: Told<Standing["mails"], "oldestAt" | "sentAt">;
  jobs: { count: number; oldestAt: string | null };
  payouts: (Omit<Standing["payouts"][number], "units"> & { units: string })[] | null;
  batches:
    | Told<Standing["batches"][number], "orderedAt" | "broadcastAt" | "incidentSince">[]
    | null;
}

/** With moments as they are written. */
type Told<T, Moments extends keyof T> = Omit<T, Moments> & {
  [Name in Moments]: null extends T[Name] ? string | null : string;
};

interface CoinRow {
  asset: Coin;
  owed: string;
  custody: string;
  counted: string | null;
  countedCustody: string | null;
  asOf: string | null;
}

interface BackupRow {
  at: string;
  upTo: string | null;
  seconds: number | null;
  holds: boolean | null;
}

function asBackups(marks: Row["backups"]): Standing["backups"] {
  const { backup, wal, drill, begun } = marks ?? {};
  const { at, upTo, seconds, holds } = drill ?? {};
  return {
    backup: moment(backup?.at ?? null),
    wal: moment(wal?.at ?? null),
    drill:
      at && upTo
        ? { at: new Date(at), upTo: new Date(upTo), seconds: seconds ?? 0, holds: holds === true }
        : null,
    begunAt: moment(begun?.at ?? null),
  };
}

function asCoin({ asset, owed, custody, counted, countedCustody, asOf }: CoinRow) {
  const isCounted = counted !== null && countedCustody !== null && asOf !== null;
  return {
    asset,
    owedUnits: BigInt(owed),
    custodyUnits: BigInt(custody),
    counted: isCounted
      ? { units: BigInt(counted), custodyUnits: BigInt(countedCustody), asOf: new Date(asOf) }
      : null,
  };
}

function moment(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

function dated<T, Moments extends keyof T>(
  rows: Told<T, Moments>[] | null,
  ...moments: Moments[]
): T[] {
  return (rows ?? []).map((row) => {
    const read = Object.fromEntries(moments.map((name) => [name, new Date(String(row[name]))]));
    return { ...row, ...read } as unknown as T;
  });
}
