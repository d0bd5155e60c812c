import { expect, test } from "vitest";
import type { Config } from "#server/platform/config.ts";
import { listHeartbeats, listLate } from "./list-late.ts";
import type { Standing } from "./read-standing.ts";
import { toWork, type Work, type WorkKind } from "./work.ts";

const now = new Date("2026-11-24T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const source: Standing["sources"][number] = {
  chain: "bitcoin",
  health: "following",
  since: ago(9000),
  askedAt: ago(0),
};
const price: Standing["prices"][number] = {
  asset: "BTC",
  askedAt: ago(0),
  since: ago(9000),
  trouble: null,
};
const pull = { pool: "Braiins", failures: 0, askedAt: ago(4), askAgainAt: ago(-1) };

const kept = { backup: ago(60), wal: ago(1), drill: null, begunAt: ago(60) };

const quiet: Standing = {
  staff: [],
  workerSeenAt: ago(0),
  sources: [source],
  prices: [price],
  pulls: [pull],
  coinsAmiss: [],
  nextDay: null,
  lastDay: null,
  fleet: { capacityGhs: 0n, soldGhs: 0n, sellsNothing: false, salesStop: null, outages: 0 },
  coins: [],
  unsealedSince: null,
  proofAt: null,
  backups: kept,
  disks: [],
  keys: [],
  mails: { count: 0, oldestAt: null, recipients: 0, sentAt: null },
  jobs: { count: 0, oldestAt: null },
  payouts: [],
  batches: [],
};
const config = {
  bitcoinChain: {},
  bitcoinPollSeconds: 10,
  ethereumChain: null,
  ethereumPollSeconds: 12,
  prices: { pollSeconds: 10, sources: [{}] },
  braiins: {},
  coins: ["BTC"],
  backups: {},
} as unknown as Config;

function look(change: Partial<Standing>, work: Work[] = [], uncredited = { count: 0 }) {
  const seen = {
    standing: { ...quiet, ...change },
    work,
    config,
    now,
    uncredited: { ...uncredited, oldestAt: uncredited.count > 0 ? ago(90) : null },
  };
  return {
    late: listLate("owner", seen).map(({ kind }) => kind),
    beats: listHeartbeats("owner", seen).map(({ name }) => name),
    forContent: listLate("content", seen).map(({ kind }) => kind),
  };
}

const nextDay = {
  day: "2026-11-23",
  postingSince: null,
  byItself: true,
  missing: [],
  recordedAt: ago(5),
};
const batch: Standing["batches"][number] = {
  id: "b",
  day: "2026-11-24",
  chain: "bitcoin",
  state: "broadcast",
  payments: 1,
  isSigned: true,
  orderedAt: ago(11),
  isMined: false,
  broadcastAt: ago(10),
  incidentSince: null,
};
const counted = { units: 5n, custodyUnits: 6n, asOf: ago(60) };
const due = (oldestAt: Date): Work =>
  toWork("batchesDue", [{ barred: [], count: 1, things: 2, oldestAt }]);

test("nothing is late where everything answered a moment ago, and each says when", () => {
  expect(look({})).toMatchObject({
    late: [],
    beats: ["worker", "bitcoin", "exchanges", "pools"],
  });
});

test.each<[string, Partial<Standing>, string]>([
  [
    "a chain was not asked for long",
    { sources: [{ ...source, askedAt: ago(10) }] },
    "chain-silent",
  ],
  ["a chain was never asked", { sources: [] }, "chain-silent"],
  ["its node is behind", { sources: [{ ...source, health: "stale" }] }, "chain"],
  ["nobody asks the exchanges", { prices: [{ ...price, askedAt: ago(10) }] }, "prices-silent"],
  ["exchanges disagree", { prices: [{ ...price, trouble: "sources-disagree" }] }, "prices"],
  ["a pool fails", { pulls: [{ ...pull, failures: 3 }] }, "pool"],
  [
    "a pool's coins have left the chain",
    { coinsAmiss: [{ pool: "Pool", unexplainedSince: null }] },
    "coins-missing",
  ],
  [
    "no payout explains a pool's coins",
    { coinsAmiss: [{ pool: "Pool", unexplainedSince: ago(9 * 24 * 60) }] },
    "coins-unexplained",
  ],
  ["nobody asks a pool", { pulls: [{ ...pull, askAgainAt: ago(60) }] }, "pool-silent"],
  [
    "mails wait",
    { mails: { count: 3, oldestAt: ago(11), recipients: 2, sentAt: ago(12) } },
    "mails",
  ],
  [
    "one mail waits for long",
    { mails: { count: 1, oldestAt: ago(61), recipients: 1, sentAt: null } },
    "mails",
  ],
  ["a job waits", { jobs: { count: 3, oldestAt: ago(6) } }, "jobs"],
  ["no backup was made in the night", { backups: { ...kept, backup: ago(27 * 60) } }, "backup"],
  ["no backup was ever made", { backups: { ...kept, backup: null } }, "backup"],
  ["what is written is not kept", { backups: { ...kept, wal: ago(11) } }, "backup-behind"],
  ["nobody has tried a backup", { backups: { ...kept, begunAt: ago(36 * 24 * 60) } }, "drill"],
  [
    "a restored backup did not hold",
    { backups: { ...kept, drill: { at: ago(5), upTo: ago(6), seconds: 9, holds: false } } },
    "drill",
  ],
  ["a disk is almost full", { disks: [{ place: "web1:/data", since: ago(5) }] }, "disk"],
  ["a secret is too old", { keys: [{ place: "AUTH_SECRET", since: ago(5) }] }, "key"],
  ["a day waits for a person", { nextDay: { ...nextDay, byItself: false } }, "day-not-posted"],
  [
    "a complete day is not posted",
    { nextDay: { ...nextDay, recordedAt: ago(90) } },
    "day-not-posted",
  ],
  [
    "a pool has not paid for a day",
    { nextDay: { ...nextDay, day: "2026-11-22", missing: ["Braiins"], recordedAt: null } },
    "day-without-payout",
  ],
  [
    "a batch is in no block",
    { batches: [{ ...batch, broadcastAt: ago(7 * 60) }] },
    "batch-unconfirmed",
  ],
  [
    "a batch was ordered and the node does not take it",
    { batches: [{ ...batch, state: "formed", orderedAt: ago(16), broadcastAt: null }] },
    "batch-unsent",
  ],
  [
    "a day has been posted for hours and is not done",
    { nextDay: { ...nextDay, postingSince: ago(61) } },
    "day-not-posted",
  ],
  [
    "a batch cannot be followed",
    { batches: [{ ...batch, incidentSince: ago(2) }] },
    "batch-unseen",
  ],
  [
    "a count is short",
    { coins: [{ asset: "BTC", owedUnits: 1n, custodyUnits: 6n, counted }] },
    "short",
  ],
  ["no proof was published for more than a day", { proofAt: ago(1600) }, "proof"],
  ["a transfer is not sealed", { unsealedSince: ago(16) }, "seal"],
])("it is late when %s", (_, change, kind) => {
  const { late, forContent } = look(change);
  expect(late).toEqual([kind]);
  // Whoever writes the site's texts reads nothing of it, but for prices, which all staff may see.
  expect(forContent).toEqual(kind.startsWith("prices") ? [kind] : []);
});

test("what was asked longer ago than some polls is no sign of health", () => {
  const silent = look({
    workerSeenAt: ago(1440),
    sources: [{ ...source, askedAt: ago(1440) }],
    prices: [{ ...price, askedAt: ago(1440) }],
    pulls: [{ ...pull, askedAt: ago(1440) }],
  });
  expect(silent.beats).toEqual([]);
});

test("what a customer has waited for since a day is late, and a job that was given up at once", () => {
  const waits = (kind: WorkKind, minutes: number) =>
    toWork(kind, [{ barred: [], count: 2, things: 2, oldestAt: ago(minutes) }]);
  const customers = (minutes: number) =>
    (["deposits", "withdrawals", "batchesToSign", "batchesToSend", "messages"] as const).map(
      (kind) => waits(kind, minutes),
    );
  expect(look({}, customers(23 * 60)).late).toEqual([]);
  expect(look({}, customers(25 * 60)).late).toEqual([
    "deposits-waiting",
    "withdrawals-waiting",
    "batch-unsigned",
    "batch-signed",
  ]);
  expect(look({}, [waits("jobs", 1)]).late).toEqual(["given-up"]);
});

test("a batch that was due before today is late, and a confirmed payment that is not credited", () => {
  expect(look({}, [due(ago(20 * 60))]).late).toEqual(["batch-overdue"]);
  expect(look({}, [due(new Date("2026-11-24T00:00:00Z"))]).late).toEqual([]);
  expect(look({}, [], { count: 2 }).late).toEqual(["uncredited"]);
});

test("a day is given the time that pools and the worker take", () => {
  expect(look({ nextDay }).late).toEqual([]);
  const waits = { ...nextDay, missing: ["Braiins"], recordedAt: null };
  expect(look({ nextDay: waits }).late).toEqual([]);
  const posting = { ...waits, postingSince: ago(10), day: "2026-11-20" };
  expect(look({ nextDay: posting }).late).toEqual([]);
});

test("a batch is given the time that a node and blocks take, and one in a block is not said to be in none", () => {
  const formed = { ...batch, state: "formed" as const, broadcastAt: null };
  expect(look({ batches: [{ ...formed, orderedAt: ago(14) }] }).late).toEqual([]);
  expect(look({ batches: [{ ...formed, orderedAt: null }] }).late).toEqual([]);
  const old = { ...batch, broadcastAt: ago(9 * 60) };
  expect(look({ batches: [{ ...old, isMined: true }] }).late).toEqual([]);
  const many = Array.from({ length: 5 }, (_, index) => ({ ...old, id: String(index) }));
  expect(look({ batches: many }).late).toHaveLength(5);
});
