import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { lateAdvice, lateKinds } from "#core/late.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { runInProcess } from "#tests/setup/run-in-process.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { doctorCommand } from "../scripts/doctor-command.ts";
import { ensurePrometheus } from "../scripts/programs/get-prometheus.ts";
import { tellAlarms } from "./console/alarms/tell-alarms.ts";
import { listStatus } from "./console/status/list-status.ts";
import { type Metrics, startMetrics } from "./metrics.ts";
import { openDatabase } from "./platform/database.ts";
import { openLog } from "./platform/log/log.ts";

const product = await testApp({
  METRICS_PORT: "0",
  BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1",
});
const { app, owner } = product;
const started: Metrics[] = [];
afterAll(() => Promise.all(started.map((each) => each.stop())));

async function read(of: Partial<typeof app> = {}): Promise<string> {
  const measured = async () => (app.metrics ? [await app.metrics.measured()] : []);
  const metrics = await startMetrics({ ...app, ...of }, measured);
  if (!metrics) throw new Error("a port is configured");
  started.push(metrics);
  const answer = await fetch(`http://127.0.0.1:${metrics.port}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}
const namesIn = (text: string) =>
  new Set([...text.matchAll(/\bassay_[a-z_]+[a-z]\b/g)].map(([name]) => name));
const measuredNames = (text: string) =>
  new Set([...text.matchAll(/^# TYPE (assay_\w+)/gm)].map(([, name]) => name));

test("requests are counted by their route's pattern, and what is late is the same as on Health", async () => {
  await product.request("/operator/chain/payments/019a7f00-0000-7000-8000-000000000001");
  await owner.query(
    "insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', 'unreachable', '', now() - interval '1 hour', now())",
  );
  const text = await read();
  expect(text).toMatch(
    /assay_http_request_duration_seconds_count\{route="\/operator\/chain\/payments\/:chainPaymentId",method="GET",status="302",kept="no"\} 1/,
  );
  expect(text).not.toContain("019a7f00");
  expect(text).toMatch(/^assay_late\{kind="chain"\} 1$/m);
  expect(Number(/^assay_late_seconds\{kind="chain"\} ([\d.]+)$/m.exec(text)?.[1])).toBeGreaterThan(
    3599,
  );
  expect(text).toMatch(/^assay_database_up 1$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  for (const kind of lateKinds) expect(text).toContain(`assay_late{kind="${kind}"}`);
});

test("nobody makes routes up, and a worker that is away is late", async () => {
  for (const address of ["/faq", "/FaQ", "/faq//", "/faq///", "/no-such-page", "/nor-this"])
    await product.request(address);
  for (let n = 0; n < 500; n += 1)
    app.metrics?.count({ route: `/${n}`, method: "GET", status: 200, kept: false, seconds: 0 });
  const text = await read();
  expect(text).not.toMatch(/route="\/(FaQ|faq\/+|no-such-page|499)"/);
  expect(text).toContain('route="(other)"');
  expect(text).toMatch(/^assay_late\{kind="worker"\} 1$/m);
});

test("without the database there are the process's own figures, and that it is away", async () => {
  const text = await read({
    db: openDatabase("postgres://nobody@127.0.0.1:1/none", openLog("silent")),
  });
  expect(text).toMatch(/^assay_database_up 0$/m);
  expect(text).toMatch(/^assay_database_connections\{state="total"\} /m);
  expect([...measuredNames(text)].filter((name) => name?.startsWith("assay_late"))).toEqual([]);
});

test("there is nothing else at that port, and no port unless one is configured", async () => {
  const metrics = await startMetrics(app, async () => []);
  if (metrics) started.push(metrics);
  for (const path of ["/", "/operator", "/metrics/x"])
    expect((await fetch(`http://127.0.0.1:${metrics?.port}${path}`)).status).toBe(404);
  expect(
    await startMetrics({ ...app, config: { ...app.config, metrics: null } }, async () => []),
  ).toBeNull();
});

test("Health, /status, the metrics and doctor agree while something is late, and once it is not", async () => {
  const { db, ownerUrl, app: site } = product;
  const cookie = await signInAs(product, await createTestOperator(db, { role: "owner" }));
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const runs = () =>
    owner.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('a', now(), now())
       on conflict (identifier) do update set last_execution = now()`,
    );
  const says = (health: string) =>
    owner.query(
      `insert into chain_sources (chain, health, detail, since, asked_at) values ('bitcoin', $1, '', now() - interval '1 hour', now())
       on conflict (chain) do update set health = excluded.health, asked_at = excluded.asked_at`,
      [health],
    );
  const look = (minutes: number) => tellAlarms({ db, config: site.config, now: at(minutes) });
  const whereItIsLate = async (minutes: number) => {
    const page = await (await product.request("/operator/health", { cookie })).text();
    const [, now = "", over = ""] = /Late now([\s\S]*?)(Not late any more|$)/.exec(page) ?? [];
    const { parts } = await listStatus(db, site.config, at(minutes));
    const env = {
      ...{ DATABASE_URL: ownerUrl, DATA_DIR: site.config.dataDir, ROLE: "worker" },
      ...{ PRICE_SOURCES: "off", BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1" },
    };
    const doctor = await runInProcess((_, own, printed) => doctorCommand(own, printed), [], env);
    const words = "Bitcoin node: cannot be reached";
    return {
      health: now.includes(words) && over === "",
      status: parts.some(({ part, lateSince }) => part === "bitcoin" && lateSince !== null),
      metrics: /^assay_late\{kind="chain"\} 1$/m.test(await read()),
      doctor: doctor.stdout.includes(words),
    };
  };
  await runs();
  await says("unreachable");
  for (const minutes of [-8, -7, -6, -5, -4, -3, -2, -1, 0]) await look(minutes);
  const all = { health: true, status: true, metrics: true, doctor: true };
  expect(await whereItIsLate(0)).toEqual(all);
  await owner.query("update alarms set seen_at = seen_at - interval '4 minutes'");
  await says("following");
  expect(await whereItIsLate(0)).toEqual({
    health: false,
    status: false,
    metrics: false,
    doctor: false,
  });
  const page = await (await product.request("/operator/health", { cookie })).text();
  expect(page).toContain("Not late any more since");
});

test("the page of operating lists every figure, and no other", async () => {
  const page = readFileSync("docs/operating/metrics.md", "utf8");
  const { gauges } = await import("./metrics.ts");
  const known = new Set([
    ...Object.keys(gauges),
    ...[
      "assay_http_request_duration_seconds",
      "assay_database_connections",
      "assay_log_dropped_lines",
    ],
  ]);
  expect(namesIn(page)).toEqual(known);
  for (const [name, [labels, help]] of Object.entries(gauges))
    expect(page).toContain(
      `| \`${name}\` | ${labels.map((each) => `\`${each}\``).join(", ") || "–"} | ${help} |`,
    );
});

const nameOfLate = (kind: string) =>
  `AssayLate${kind.replace(/(^|-)(.)/g, (_all, _dash, letter: string) => letter.toUpperCase())}`;

/** Each with what it asks, for how long that has to hold, how urgent it is, and what to do. */
const rules: Array<
  [alert: string, expr: string, lasts: string, severity: "page" | "ticket", runbook: string]
> = [
  [
    "AssayDown",
    'up{job="assay"} == 0 or absent(up{job="assay"})',
    "2m",
    "page",
    "A process that should answer /metrics does not. Look at its log, and start it again.",
  ],
  [
    "AssayDatabaseDown",
    "min(assay_database_up) == 0",
    "1m",
    "page",
    "The database does not answer. Nothing is lost that was acknowledged: docs/operating/web-and-worker.md.",
  ],
  [
    "AssayFiguresMissing",
    "max(assay_figures_missing) > 0",
    "10m",
    "ticket",
    "The database's figures cannot be read, so that nothing here can be late: the log says why.",
  ],
  [
    "AssayErrors",
    'sum(rate(assay_http_request_duration_seconds_count{kept="no",status=~"5.."}[5m])) / sum(rate(assay_http_request_duration_seconds_count{kept="no"}[5m])) > 0.02',
    "5m",
    "page",
    "More than one request in fifty fails. The log has each with its request id.",
  ],
  [
    "AssaySlow",
    'histogram_quantile(0.95, sum by (le) (rate(assay_http_request_duration_seconds_bucket{kept="no"}[10m]))) > 1',
    "10m",
    "ticket",
    "One request in twenty takes more than a second. Look at event loop lag and at waiting connections.",
  ],
  [
    "AssayConnectionsWait",
    'assay_database_connections{state="waiting"} > 0',
    "5m",
    "ticket",
    "Requests wait for a connection: raise DATABASE_CONNECTIONS, or find the slow statement in pg_stat_activity.",
  ],
  [
    "AssayDiskFull",
    "assay_disk_free_bytes <= clamp_max(0.1 * assay_disk_size_bytes, 2e9)",
    "5m",
    "page",
    "Of the disk of DATA_DIR less than a tenth is free, or less than 2 GB where that is less. Once it is full, nothing is kept there: an embedded database, slips, secrets.",
  ],
  [
    "AssayLogLost",
    "increase(assay_log_dropped_lines[10m]) > 0",
    "0m",
    "ticket",
    "Lines of the log are lost: is the disk full, or the reader of standard output stuck?",
  ],
  ...lateKinds.map((kind): (typeof rules)[number] => [
    nameOfLate(kind),
    `max(assay_late{kind="${kind}"}) > 0`,
    "3m",
    ["worker", "chain", "chain-silent", "batch-unsent", "short", "coins-missing"].includes(kind)
      ? "page"
      : "ticket",
    lateAdvice[kind],
  ]),
];

test("Prometheus has a rule for each, with what to do", async () => {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const lines = rules.flatMap(([alert, expr, lasts, severity, runbook]) => [
    `      - alert: ${alert}`,
    `        expr: ${quoted(expr)}`,
    `        for: ${lasts}`,
    `        labels: { severity: ${severity} }`,
    `        annotations: { summary: ${quoted(runbook)} }`,
  ]);
  const head = [
    "# Written by server/metrics.test.ts: npx vitest run server/metrics.test.ts -u",
    "groups:",
    "  - name: assay",
    "    rules:",
  ];
  const known = new Set([
    ...(await read().then(measuredNames)),
    ...Object.keys((await import("./metrics.ts")).gauges),
  ]);
  for (const [, expr] of rules)
    for (const name of namesIn(expr))
      expect(known).toContain(name.replace(/_(bucket|count|sum)$/, ""));
  await expect(`${[...head, ...lines].join("\n")}\n`).toMatchFileSnapshot(
    "../deploy/prometheus/assay.rules.yml",
  );
});

test("each rule holds where it should, and only after its time, says Prometheus", () => {
  const quiet = { up: "1", assay_database_up: "1", assay_disk_free_bytes: "3e9" };
  const loud: Record<string, Record<string, string>> = {
    AssayDown: { up: "0" },
    AssayDatabaseDown: { assay_database_up: "0" },
    AssayFiguresMissing: { assay_figures_missing: "1" },
    AssayErrors: {
      'assay_http_request_duration_seconds_count{kept="no",status="200"}': "0+95",
      'assay_http_request_duration_seconds_count{kept="no",status="500"}': "0+5",
    },
    AssaySlow: {
      'assay_http_request_duration_seconds_bucket{kept="no",le="1"}': "0+90",
      'assay_http_request_duration_seconds_bucket{kept="no",le="2.5"}': "0+100",
      'assay_http_request_duration_seconds_bucket{kept="no",le="+Inf"}': "0+100",
    },
    AssayConnectionsWait: { 'assay_database_connections{state="waiting"}': "1" },
    AssayDiskFull: { assay_disk_free_bytes: "1e9", assay_disk_size_bytes: "1e11" },
    AssayLogLost: { assay_log_dropped_lines: "0+1" },
    ...Object.fromEntries(
      lateKinds.map((kind) => [nameOfLate(kind), { [`assay_late{kind="${kind}"}`]: "1" }]),
    ),
  };
  expect(Object.keys(loud)).toEqual(rules.map(([alert]) => alert));
  const tests = rules.map(([alert, expr, lasts, severity, summary]) => {
    // What is not summed up keeps the labels of whom it is about.
    const isSum = /^(max|min|sum|histogram_quantile)\(/.test(expr);
    const state = expr.includes("state=") && { state: "waiting" };
    const labels = isSum ? {} : { job: "assay", instance: "web1", ...state };
    const series = Object.entries({ ...quiet, ...loud[alert] }).map(([name, value]) => {
      const more = name.replace(/^\w+\{?|\}$/g, "");
      const named = `${/^\w+/.exec(name)?.[0]}{job="assay",instance="web1"${more && `,${more}`}}`;
      return { series: named, values: `${value}x30` };
    });
    return {
      interval: "1m",
      input_series: series,
      alert_rule_test: [
        {
          eval_time: "25m",
          alertname: alert,
          exp_alerts: [{ exp_labels: { severity, ...labels }, exp_annotations: { summary } }],
        },
        ...(lasts === "0m"
          ? []
          : [
              {
                eval_time: `${Number.parseInt(lasts, 10) - 1}m30s`,
                alertname: alert,
                exp_alerts: [],
              },
            ]),
      ],
    };
  });
  const folder = mkdtempSync(path.join(tmpdir(), "assay-rules-"));
  const file = path.join(folder, "tests.json");
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [path.resolve("deploy/prometheus/assay.rules.yml")], tests }),
  );
  const promtool = path.join(ensurePrometheus(), "promtool");
  const said = spawnSync(promtool, ["test", "rules", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(said.stdout + said.stderr).toContain("SUCCESS");
});
