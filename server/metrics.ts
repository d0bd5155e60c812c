import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { AggregatorRegistry, Gauge, Registry } from "prom-client";
import { lateKinds } from "#core/late.ts";
import { startOfDay } from "#core/utc-day.ts";
import product from "../package.json" with { type: "json" };
import type { App } from "./app-context.ts";
import { listLateFactsAndWorker } from "./console/today/list-late.ts";
import { readSeen } from "./console/today/read-seen.ts";
import { ConfigError } from "./platform/config.ts";
import { getRow, moment, number, orNull, text } from "./platform/database/read-rows.ts";
import type { Measured } from "./platform/http/request-metrics.ts";
import { readDisk } from "./platform/read-disk.ts";
import { sql } from "./platform/sql.ts";

/** All who ask within this time share an answer: it takes a few statements. */
const freshMs = 2_000;
const patienceMs = 5_000;

/** What Prometheus may ask, each with its labels and what it is. docs/operating/metrics.md lists the same. */
export const gauges = {
  assay_build_info: [["version", "schema"], "1; which version of the product and of the schema."],
  assay_database_up: [[], "Whether the database answers."],
  assay_figures_missing: [
    [],
    "1 if figures could not be read from the database, although it may answer: the log says why.",
  ],
  assay_disk_free_bytes: [
    [],
    "Free space where DATA_DIR is; a database elsewhere has a disk of its own.",
  ],
  assay_disk_size_bytes: [[], "The size of that disk."],
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
  assay_day_unposted_seconds: [
    [],
    "How long ago the day ended that is credited next; 0 while it is not over.",
  ],
  assay_proof_seconds: [[], "How long ago the newest proof of what is owed was published."],
  assay_owed_units: [
    ["asset"],
    "Customers' balances by the ledger, what is held included, in the smallest unit.",
  ],
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
    if (known && performance.now() < known.until) return known.text;
    const text = writeMetrics(app, measured);
    const made = { text, until: Number.POSITIVE_INFINITY };
    const settle = () => {
      made.until = performance.now() + freshMs;
    };
    text.then(settle, settle);
    known = made;
    return text;
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
  const [processes, ofDisk, ofDatabase] = await Promise.all([
    measured(),
    readDiskFigures(app),
    readDatabase(app),
  ]);
  // Of a gauge without labels the library says 0 until it is set.
  const said = [...ofDisk, ...ofDatabase];
  for (const name of made.keys())
    if (!said.some((figure) => figure.name === name)) own.removeSingleMetric(name);
  for (const { name, value, labels = {} } of said) made.get(name)?.set(labels, value);
  return `${await AggregatorRegistry.aggregate(processes).metrics()}\n${await own.metrics()}`;
}

async function readDiskFigures({ config }: App): Promise<Figure[]> {
  const disk = await readDisk(config.dataDir);
  if (!disk) return [];
  return [
    { name: "assay_disk_free_bytes", value: disk.freeBytes },
    { name: "assay_disk_size_bytes", value: disk.sizeBytes },
  ];
}

/** A database that is away, or silent, is a figure too. */
async function readDatabase(app: App): Promise<Figure[]> {
  const tooLate = after(patienceMs, null).then(() => {
    throw new Error("the database is silent");
  });
  const up = await Promise.race([app.db.execute(sql`select 1`), tooLate]).then(
    () => 1,
    () => 0,
  );
  const said = await Promise.race([readFigures(app), tooLate]).catch((error: unknown) => {
    app.log.warn({ err: error }, "metrics without the figures of the database");
    return null;
  });
  return [
    { name: "assay_database_up", value: up },
    { name: "assay_figures_missing", value: said ? 0 : 1 },
    ...(said ?? []),
  ];
}

function after<T>(ms: number, value: T): Promise<T> {
  return wait(ms, value, { ref: false });
}

async function readFigures({ db, config, now }: App): Promise<Figure[]> {
  const at = now();
  const [seen, more] = await Promise.all([
    readSeen(db, config, at),
    getRow(
      db,
      sql`select
        (select left(sha256, 12) from schema_functions order by applied_at desc limit 1) as schema,
        (select count(*)::integer from graphile_worker.jobs where attempts >= max_attempts and locked_at is null) as "givenUp",
        (select published_at from proof_days where root is not null order by day desc limit 1) as "provedAt",
        (select s.tip_height - p.height from chain_sources s join chain_positions p using (chain) where chain = 'bitcoin') as bitcoin,
        (select s.tip_height - p.height from chain_sources s join chain_positions p using (chain) where chain = 'ethereum') as ethereum`,
      {
        schema: text,
        givenUp: number,
        provedAt: orNull(moment),
        bitcoin: orNull(number),
        ethereum: orNull(number),
      },
    ),
  ]);
  const { standing, work } = seen;
  const late = listLateFactsAndWorker(seen);
  const seconds = (since: Date) => Math.max(0, (at.getTime() - since.getTime()) / 1000);
  const age = (name: Figure["name"], since: Date | null, labels = {}): Figure[] =>
    since ? [{ name, labels, value: seconds(since) }] : [];
  const count = (name: Figure["name"], value: number | null, labels = {}): Figure[] =>
    value === null ? [] : [{ name, labels, value }];
  return [
    ...count("assay_build_info", 1, { version: product.version, schema: more.schema }),
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
    ...age("assay_unsealed_seconds", standing.unsealedSince),
    ...(standing.nextDay
      ? [
          {
            name: "assay_day_unposted_seconds" as const,
            value: Math.max(0, seconds(startOfDay(standing.nextDay.day)) - 86_400),
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
