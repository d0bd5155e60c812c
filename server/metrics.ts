import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AggregatorRegistry, Gauge, Registry } from "prom-client";
import { lateKinds } from "#core/late.ts";
import { startOfDay } from "#core/utc-day.ts";
import type { App } from "./app-context.ts";
import { findUncredited } from "./chain/list-payments-to-settle.ts";
import { listLateFacts } from "./console/today/list-late.ts";
import { listWork } from "./console/today/list-work.ts";
import { readStanding } from "./console/today/read-standing.ts";
import { ConfigError } from "./platform/config.ts";
import { getRow, moment, number, orNull, text } from "./platform/database/read-rows.ts";
import type { Measured } from "./platform/http/request-metrics.ts";
import { sql } from "./platform/sql.ts";

/** All who ask within this time share an answer: it takes a few statements. */
const freshMs = 2_000;
const patienceMs = 5_000;

/** What Prometheus may ask, each with its labels and what it is. docs/operating/metrics.md lists the same. */
export const gauges = {
  assay_build_info: [["version", "schema"], "1; which version of the product and of the schema."],
  assay_database_up: [
    [],
    "Whether the database answers. If it does not, there are no other figures from it.",
  ],
  assay_database_connections: [
    ["state"],
    "Connections of the process that was started: total, idle, and requests that wait for one.",
  ],
  assay_disk_free_bytes: [[], "Free space where DATA_DIR is."],
  assay_log_dropped_lines: [[], "Lines of the log that could not be written since the start."],
  assay_late: [
    ["kind"],
    "How many things of each kind are late: those of the console's page Health.",
  ],
  assay_late_seconds: [["kind"], "For how long the oldest of them has been late."],
  assay_work_waiting: [["kind"], "What waits for a decision of staff, by kind, as on Today."],
  assay_work_oldest_seconds: [["kind"], "For how long the oldest of it has waited."],
  assay_worker_seen_seconds: [[], "How long ago a worker last began work of its schedule."],
  assay_jobs_waiting: [[], "Jobs that should have begun."],
  assay_jobs_oldest_seconds: [[], "For how long the oldest of them should have begun."],
  assay_jobs_given_up: [[], "Jobs that failed as often as they may."],
  assay_mails_waiting: [[], "E-mails that wait to be sent, at most 1,000."],
  assay_mails_oldest_seconds: [[], "How old the oldest of them is."],
  assay_chain_asked_seconds: [["chain"], "How long ago the node of a chain was asked."],
  assay_chain_blocks_behind: [["chain"], "How many blocks its newest is above those that we read."],
  assay_unsealed_seconds: [[], "How old the oldest transfer is that no seal covers."],
  assay_day_unposted_seconds: [[], "How long ago the day ended that is credited next."],
  assay_proof_seconds: [[], "How long ago the newest proof of what is owed was published."],
  assay_owed_units: [["asset"], "What is owed to customers by the ledger, in the smallest unit."],
  assay_custody_units: [["asset"], "What the ledger has in custody, in the smallest unit."],
  assay_counted_units: [["asset"], "What the newest count found, in the smallest unit."],
} as const satisfies Record<string, readonly [labels: readonly string[], help: string]>;

type Figure = { name: keyof typeof gauges; value: number; labels?: Record<string, string> };

export interface Metrics {
  port: number;
  stop(): Promise<void>;
}

/**
 * Answers `GET /metrics` on a port of its own, in Prometheus's format: what all processes measured of themselves, added up, and what the
 * database knows of the business. Null: no port is configured.
 *
 * @param measured of the processes that answer HTTP
 * @throws ConfigError when the port is taken
 */
export async function startMetrics(
  app: App,
  measured: () => Promise<Measured[]>,
): Promise<Metrics | null> {
  const { metrics } = app.config;
  if (metrics === null) return null;
  let known: { text: Promise<string>; until: number } | undefined;
  const answer = () => {
    const now = performance.now();
    if (!known || now > known.until)
      known = { text: writeMetrics(app, measured), until: now + freshMs };
    return known.text;
  };
  const server = createServer((request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    if (request.method !== "GET" || path !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    answer().then(
      (text) =>
        response.writeHead(200, { "content-type": Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      (error: unknown) => {
        app.log.error({ err: error }, "metrics could not be written");
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new ConfigError(
          `METRICS_PORT ${metrics.port} on ${metrics.host} cannot be used: ${error.message}`,
        ),
      ),
    );
    server.listen(metrics.port, metrics.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function writeMetrics(app: App, measured: () => Promise<Measured[]>): Promise<string> {
  const own = new Registry();
  const made = new Map(
    Object.entries(gauges).map(([name, [labelNames, help]]) => [
      name,
      new Gauge({ name, help, labelNames: [...labelNames], registers: [own] }),
    ]),
  );
  const [processes, ofProcess, ofDatabase] = await Promise.all([
    measured(),
    readProcess(app),
    withoutDatabase(app, readDatabase(app)),
  ]);
  // Of a gauge without labels the library says 0 until it is set.
  const said = [...ofProcess, ...ofDatabase];
  for (const name of made.keys())
    if (!said.some((figure) => figure.name === name)) own.removeSingleMetric(name);
  for (const { name, value, labels = {} } of said) made.get(name)?.set(labels, value);
  return `${await AggregatorRegistry.aggregate(processes).metrics()}\n${await own.metrics()}`;
}

async function readProcess({ db, log, config }: App): Promise<Figure[]> {
  const { totalCount: total, idleCount: idle, waitingCount: waiting } = db.$client;
  const disk = await statfs(config.dataDir).catch(() => null);
  return [
    ...Object.entries({ total, idle, waiting }).map(
      ([state, value]): Figure => ({
        name: "assay_database_connections",
        labels: { state },
        value,
      }),
    ),
    ...(disk ? [{ name: "assay_disk_free_bytes" as const, value: disk.bavail * disk.bsize }] : []),
    { name: "assay_log_dropped_lines", value: log.lost().lines },
  ];
}

/** A database that is away, or silent, is a figure too. */
async function withoutDatabase({ log }: App, reading: Promise<Figure[]>): Promise<Figure[]> {
  const silent = new Promise<never>((_, reject) =>
    setTimeout(reject, patienceMs, new Error("the database is silent")).unref(),
  );
  try {
    return [{ name: "assay_database_up", value: 1 }, ...(await Promise.race([reading, silent]))];
  } catch (error) {
    log.debug({ err: error }, "metrics without the database");
    return [{ name: "assay_database_up", value: 0 }];
  }
}

const { version } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as { version: string };

async function readDatabase({ db, config, now }: App): Promise<Figure[]> {
  const at = now();
  const [standing, work, uncredited, more] = await Promise.all([
    readStanding(db, at),
    listWork(db, at),
    findUncredited(db, config.confirmations),
    getRow(
      db,
      sql`select
        (select left(sha256, 12) from schema_functions order by applied_at desc limit 1) as schema,
        (select count(*)::integer from graphile_worker.jobs where attempts >= max_attempts and locked_at is null) as "givenUp",
        (select created_at from ledger_transfers
          where number >= coalesce((select upper(covers) from ledger_seals order by number desc limit 1), 0) order by number limit 1) as "unsealedSince",
        (select published_at from proof_days where root is not null order by day desc limit 1) as "provedAt",
        (select s.tip_height - p.height from chain_sources s join chain_positions p using (chain) where chain = 'bitcoin') as bitcoin,
        (select s.tip_height - p.height from chain_sources s join chain_positions p using (chain) where chain = 'ethereum') as ethereum`,
      {
        schema: text,
        givenUp: number,
        unsealedSince: orNull(moment),
        provedAt: orNull(moment),
        bitcoin: orNull(number),
        ethereum: orNull(number),
      },
    ),
  ]);
  const late = listLateFacts({ standing, work, uncredited, config, now: at });
  const seconds = (since: Date) => Math.max(0, (at.getTime() - since.getTime()) / 1000);
  const age = (name: Figure["name"], since: Date | null, labels = {}): Figure[] =>
    since ? [{ name, labels, value: seconds(since) }] : [];
  const count = (name: Figure["name"], value: number | null, labels = {}): Figure[] =>
    value === null ? [] : [{ name, labels, value }];
  return [
    ...count("assay_build_info", 1, { version, schema: more.schema }),
    ...lateKinds.flatMap((kind) => {
      const those = late.filter((each) => each.kind === kind);
      const ages = those.flatMap(({ since }) => (since ? [seconds(since)] : []));
      return [
        ...count("assay_late", those.length, { kind }),
        ...(ages.length > 0 ? count("assay_late_seconds", Math.max(...ages), { kind }) : []),
      ];
    }),
    ...work.flatMap(({ kind, count: waiting, oldestAt }) => [
      ...count("assay_work_waiting", waiting, { kind }),
      ...age("assay_work_oldest_seconds", oldestAt, { kind }),
    ]),
    ...age("assay_worker_seen_seconds", standing.workerSeenAt),
    ...count("assay_jobs_waiting", standing.jobs.count),
    ...age("assay_jobs_oldest_seconds", standing.jobs.oldestAt),
    ...count("assay_jobs_given_up", more.givenUp),
    ...count("assay_mails_waiting", standing.mails.count),
    ...age("assay_mails_oldest_seconds", standing.mails.oldestAt),
    ...standing.sources.flatMap(({ chain, askedAt }) => [
      ...age("assay_chain_asked_seconds", askedAt, { chain }),
      ...count("assay_chain_blocks_behind", more[chain], { chain }),
    ]),
    ...age("assay_unsealed_seconds", more.unsealedSince),
    ...(standing.nextDay
      ? [
          {
            name: "assay_day_unposted_seconds" as const,
            value: (at.getTime() - startOfDay(standing.nextDay.day).getTime()) / 1000 - 86_400,
          },
        ]
      : []),
    ...age("assay_proof_seconds", more.provedAt),
    ...standing.coins.flatMap(({ asset, owedUnits, custodyUnits, counted }) => [
      ...count("assay_owed_units", Number(owedUnits), { asset }),
      ...count("assay_custody_units", Number(custodyUnits), { asset }),
      ...count("assay_counted_units", counted && Number(counted.units), { asset }),
    ]),
  ];
}
