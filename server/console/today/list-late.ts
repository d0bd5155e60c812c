import { type LateFact, latePlaces } from "#core/late.ts";
import { isSilent } from "#core/payments/silence.ts";
import { may, type OperatorRole } from "#core/permissions.ts";
import { startOfDay, utcDay } from "#core/utc-day.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Config } from "#server/platform/config.ts";
import { workerPeriodSeconds } from "#server/platform/jobs/worker-seen.ts";
import type { Standing } from "./read-standing.ts";
import type { Work, WorkKind } from "./work.ts";

export type Late = LateFact & { to: string };

/** Something that is asked again and again, and when it was asked last: the evidence that nothing is late. */
export interface Heartbeat {
  name: "worker" | WalletChain | "exchanges" | "pools";
  at: Date;
}

const minute = 60_000;
const hour = 60 * minute;

/**
 * A mail or a job begins within seconds, and what was ordered is sent within a minute, or the node refuses it; a batch is in a
 * block within hours, or its fee is too low.
 */
const patience = {
  mails: 10 * minute,
  oneMail: hour,
  jobs: 5 * minute,
  sent: 15 * minute,
  confirmed: 6 * hour,
  uncredited: hour,
  sealed: 15 * minute,
  decided: 24 * hour,
};
/** A pool pays within the day after, and a complete day is posted within minutes. */
const payoutWithin = 24 * hour;
const postedWithin = hour;
/** What is written is kept each minute or two, and a backup is made each night; a drill is for people to run each month. */
const backups = { wal: 10 * minute, backup: 26 * hour, drill: 35 * 24 * hour };
/** How often the worker asks a pool, in seconds, unless it failed. */
const poolPeriod = 300;
/** One question in a night that is not answered is nobody's business. */
const fewFailures = 3;

export interface Seen {
  standing: Standing;
  work: Work[];
  uncredited: { count: number; oldestAt: Date | null };
  config: Pick<
    Config,
    | "bitcoinChain"
    | "bitcoinPollSeconds"
    | "ethereumChain"
    | "ethereumPollSeconds"
    | "prices"
    | "braiins"
    | "coins"
    | "backups"
  >;
  now: Date;
}

/** Everything that is late. */
export function listLateFacts(seen: Seen): LateFact[] {
  return [
    ...lateChains(seen),
    ...latePrices(seen),
    ...latePools(seen),
    ...lateQueues(seen),
    ...lateMining(seen),
    ...lateBatches(seen),
    ...lateDecisions(seen),
    ...lateMoney(seen),
    ...lateBackups(seen),
    ...seen.standing.disks.map((disk): LateFact => ({ kind: "disk", ...disk })),
    ...seen.standing.keys.map((key): LateFact => ({ kind: "key", ...key })),
  ];
}

/** What is not asked or begun while no worker runs: that one says it. */
const ofTheWorker: ReadonlySet<LateFact["kind"]> = new Set([
  "chain-silent",
  "prices-silent",
  "pool-silent",
  "backup",
  "backup-behind",
  "mails",
  "jobs",
  "seal",
]);

/** The same for who is not shown on every page that no worker runs: then that is late, and not what it does. */
export function listLateFactsAndWorker(seen: Seen): LateFact[] {
  const facts = listLateFacts(seen);
  const { workerSeenAt } = seen.standing;
  if (workerSeenAt && !isSilent(workerSeenAt, workerPeriodSeconds, seen.now)) return facts;
  return [
    { kind: "worker", since: workerSeenAt },
    ...facts.filter(({ kind }) => !ofTheWorker.has(kind)),
  ];
}

/** What a role may read of what is late, the longest first. */
export function listLate(role: OperatorRole, seen: Seen): Late[] {
  return listLateFacts(seen)
    .filter(({ kind }) => may(role, latePlaces[kind].reads))
    .map((late) => ({ ...late, to: latePlaces[late.kind].to }))
    .sort((a, b) => (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0));
}

/** What was asked a moment ago, as far as a role may read of it. What was asked longer ago is late instead. */
export function listHeartbeats(role: OperatorRole, seen: Seen): Heartbeat[] {
  const { standing, config, now } = seen;
  const asked: Array<{ name: Heartbeat["name"]; at: Date | null; every: number; is: boolean }> = [
    { name: "worker", at: standing.workerSeenAt, every: workerPeriodSeconds, is: true },
    ...chainsOf(seen).map(({ chain, every, source }) => ({
      name: chain,
      every,
      at: source?.askedAt ?? null,
      is: may(role, "chain/read"),
    })),
    {
      name: "exchanges" as const,
      every: config.prices.pollSeconds,
      is: config.prices.sources.length > 0,
      at: oldest(pricesOf(seen).map(({ askedAt }) => askedAt)),
    },
    {
      name: "pools" as const,
      every: poolPeriod,
      at: oldest(standing.pulls.map(({ askedAt }) => askedAt)),
      is: config.braiins !== null && may(role, "payouts/read"),
    },
  ];
  return asked.flatMap(({ name, at, every, is }) =>
    is && at && !isSilent(at, every, now) ? [{ name, at }] : [],
  );
}

/** The chains that are configured, how often each is asked, and what it said. */
function chainsOf({ config, standing }: Seen) {
  const chains = [
    config.bitcoinChain && { chain: "bitcoin" as const, every: config.bitcoinPollSeconds },
    config.ethereumChain && { chain: "ethereum" as const, every: config.ethereumPollSeconds },
  ];
  return chains
    .filter((each) => each !== null)
    .map((each) => ({
      ...each,
      source: standing.sources.find(({ chain }) => chain === each.chain) ?? null,
    }));
}

/** Of the coins that the site offers. */
function pricesOf({ standing, config }: Seen): Standing["prices"] {
  const offered: readonly string[] = config.coins;
  return standing.prices.filter(({ asset }) => offered.includes(asset));
}

function lateChains(seen: Seen): LateFact[] {
  return chainsOf(seen).flatMap(({ chain, every, source }): LateFact[] => {
    if (!source || isSilent(source.askedAt, every, seen.now)) {
      return [{ kind: "chain-silent", chain, since: source?.askedAt ?? null }];
    }
    const { health, since } = source;
    return health === "following" ? [] : [{ kind: "chain", chain, health, since }];
  });
}

function latePools({ standing, config, now }: Seen): LateFact[] {
  const coins = standing.coinsAmiss.map(
    ({ pool, unexplainedSince: since }): LateFact =>
      since ? { kind: "coins-unexplained", pool, since } : { kind: "coins-missing", pool, since },
  );
  if (config.braiins === null) return coins;
  const pulls = standing.pulls.flatMap(({ pool, failures, askedAt, askAgainAt }): LateFact[] => {
    if (isSilent(askAgainAt, poolPeriod, now))
      return [{ kind: "pool-silent", pool, since: askedAt }];
    return failures >= fewFailures ? [{ kind: "pool", pool, since: askedAt }] : [];
  });
  return [...coins, ...pulls];
}

function lateQueues({ standing: { mails, jobs }, work, now }: Seen): LateFact[] {
  const isOlder = (at: Date | null, ms: number) => at !== null && +now - +at > ms;
  const late: LateFact[] = [];
  // After a night's letters many wait, and leave one after the other. One alone may wait for its own reader's mailbox.
  const noneLeft = mails.sentAt === null || isOlder(mails.sentAt, patience.mails);
  const patienceOfMails = mails.recipients > 1 ? patience.mails : patience.oneMail;
  if (noneLeft && isOlder(mails.oldestAt, patienceOfMails))
    late.push({ kind: "mails", count: mails.count, since: mails.oldestAt ?? now });
  if (isOlder(jobs.oldestAt, patience.jobs))
    late.push({ kind: "jobs", count: jobs.count, since: jobs.oldestAt ?? now });
  const givenUp = work.find(({ kind }) => kind === "jobs");
  if (givenUp) late.push({ kind: "given-up", count: givenUp.count, since: givenUp.oldestAt });
  return late;
}

function latePrices(seen: Seen): LateFact[] {
  const { config, now } = seen;
  if (config.prices.sources.length === 0) return [];
  const prices = pricesOf(seen);
  const asked = oldest(prices.map(({ askedAt }) => askedAt));
  if (!asked || isSilent(asked, config.prices.pollSeconds, now)) {
    return [{ kind: "prices-silent", since: asked }];
  }
  return prices
    .filter(({ trouble }) => trouble !== null)
    .map(({ asset, since }) => ({ kind: "prices", asset, since }));
}

function lateMining({ standing: { nextDay }, now }: Seen): LateFact[] {
  if (!nextDay || nextDay.day >= utcDay(now)) return [];
  const { day, postingSince, missing, recordedAt, byItself } = nextDay;
  if (postingSince) {
    const isStuck = +now - +postingSince > postedWithin;
    return isStuck ? [{ kind: "day-not-posted", day, since: postingSince }] : [];
  }
  const over = new Date(startOfDay(day).getTime() + 24 * hour);
  if (missing.length > 0) {
    const isLate = +now - +over > payoutWithin;
    const pools = missing.join(", ");
    return isLate ? [{ kind: "day-without-payout", day, pools, since: over }] : [];
  }
  // Complete: what is not posted automatically by now waits for a person.
  const since = recordedAt && recordedAt > over ? recordedAt : over;
  const isLate = !byItself || +now - +since > postedWithin;
  return isLate ? [{ kind: "day-not-posted", day, since }] : [];
}

function lateBatches({ standing, work, now }: Seen): LateFact[] {
  const late: LateFact[] = [];
  const due = work.find(({ kind }) => kind === "batchesDue");
  if (due && due.oldestAt < startOfDay(utcDay(now))) {
    late.push({ kind: "batch-overdue", since: due.oldestAt });
  }
  for (const {
    id,
    day,
    state,
    isMined,
    orderedAt,
    broadcastAt,
    incidentSince,
  } of standing.batches) {
    if (incidentSince) late.push({ kind: "batch-unseen", id, day, since: incidentSince });
    const waits = (since: Date | null, atMost: number): since is Date =>
      since !== null && !isMined && +now - +since > atMost;
    if (state === "formed" && waits(orderedAt, patience.sent)) {
      late.push({ kind: "batch-unsent", id, day, since: orderedAt });
    }
    if (state === "broadcast" && waits(broadcastAt, patience.confirmed)) {
      late.push({ kind: "batch-unconfirmed", id, day, since: broadcastAt });
    }
  }
  return late;
}

/** What customers wait for a person of the staff to do. The rest of the work is in the mail of each morning. */
function lateDecisions({ work, now }: Seen): LateFact[] {
  const waiting = (wanted: WorkKind) =>
    work
      .filter(({ kind, oldestAt }) => kind === wanted && +now - +oldestAt > patience.decided)
      .map(({ count, oldestAt }) => ({ count, since: oldestAt }));
  return [
    ...waiting("deposits").map((of) => ({ kind: "deposits-waiting" as const, ...of })),
    ...waiting("withdrawals").map((of) => ({ kind: "withdrawals-waiting" as const, ...of })),
    ...waiting("batchesToSign").map(({ since }) => ({ kind: "batch-unsigned" as const, since })),
    ...waiting("batchesToSend").map(({ since }) => ({ kind: "batch-signed" as const, since })),
  ];
}

function lateMoney({ standing, uncredited, now }: Seen): LateFact[] {
  const late: LateFact[] = standing.coins.flatMap(({ asset, counted }) =>
    counted && counted.units < counted.custodyUnits
      ? [{ kind: "short" as const, asset, since: counted.asOf }]
      : [],
  );
  const { unsealedSince } = standing;
  if (unsealedSince && +now - +unsealedSince > patience.sealed)
    late.push({ kind: "seal", since: unsealedSince });
  if (standing.proofAt) late.push({ kind: "proof", since: standing.proofAt });
  const { count, oldestAt } = uncredited;
  if (oldestAt && +now - +oldestAt > patience.uncredited) {
    late.push({ kind: "uncredited", count, since: oldestAt });
  }
  return late;
}

function lateBackups({ standing, config, now }: Seen): LateFact[] {
  if (!config.backups) return [];
  const { backup, wal, drill, begunAt } = standing.backups;
  const isLate = (at: Date | null, within: number) => !at || +now - +at > within;
  const late: LateFact[] = [];
  if (isLate(backup, backups.backup)) late.push({ kind: "backup", since: backup });
  if (isLate(wal, backups.wal)) late.push({ kind: "backup-behind", since: wal });
  const triedAt = drill?.at ?? begunAt;
  if (triedAt && (drill?.holds === false || isLate(triedAt, backups.drill))) {
    late.push({ kind: "drill", since: triedAt, holds: drill?.holds ?? true });
  }
  return late;
}

function oldest(moments: Date[]): Date | null {
  if (moments.length === 0) return null;
  return new Date(Math.min(...moments.map((each) => each.getTime())));
}
