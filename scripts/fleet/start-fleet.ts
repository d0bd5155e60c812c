import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { writeSettings } from "../../server/backups/write-settings.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import { authSecret } from "../../server/platform/config/secrets.ts";
import { ConfigError } from "../../server/platform/config.ts";
import {
  endPostgresOf,
  postgresFolder,
  readPostmaster,
} from "../../server/platform/database/embedded-postgres.ts";
import { freePort } from "../../tests/setup/free-port.ts";
import { ensurePrometheus } from "../programs/get-prometheus.ts";
import { ensureProxies } from "../programs/get-proxies.ts";
import { Databases } from "./databases.ts";
import { Part } from "./part.ts";
import { writeProxyFile } from "./proxy-file.ts";

const products = ["web1", "web2", "worker1", "worker2"] as const;
const others = ["database-proxy", "store", "mail", "prometheus"] as const;
export type PartName =
  | (typeof products)[number]
  | (typeof others)[number]
  | "proxy"
  | "database1"
  | "database2";

export interface Fleet {
  url: string;
  prometheusUrl: string;
  /** What a command beside it needs, and each of its products has. */
  settings: Record<string, string>;
  databases: Databases;
  /** In the order in which they start. */
  parts: Part[];
  part(name: PartName): Part;
  /** All of them do their work. */
  ready(): Promise<void>;
  /** Each product is replaced, one after the other, by the version in the folder; by default the one that starts the fleet. */
  roll(to?: string): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of mails, one file each. */
export const mailsOf = (folder: string) => path.join(folder, "mails");
export const settingsOf = (folder: string) => path.join(folder, "settings.env");

/**
 * Starts the shape of a large installation on this machine: HAProxy, two web processes and two workers, a primary of PostgreSQL with a
 * synchronous standby behind HAProxy, an S3-compatible store, a mail server and Prometheus. Whatever ends is started again.
 */
export async function startFleet(
  folder: string,
  { port, env = {} }: { port: number; env?: Record<string, string> },
): Promise<Fleet> {
  await requireFree(folder, port);
  for (const name of ["logs", "store", "mails"])
    mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 });
  // Through it, not into it: PostgreSQL may run as another user.
  chmodSync(folder, 0o711);
  const ports = await choosePorts(port);
  const url = `http://127.0.0.1:${port}`;
  const databases = new Databases([
    Databases.server("database1", { folder, port: ports.database1, checkPort: ports.check1 }),
    Databases.server("database2", { folder, port: ports.database2, checkPort: ports.check2 }),
  ]);
  const settings = {
    ...chooseSettings(folder, ports),
    DATABASE_URL: databases.url(ports["database-proxy"], "postgres-application"),
    DATABASE_OWNER_URL: databases.url(ports["database-proxy"], "postgres-owner"),
    APP_URL: url,
    // Each product has its own: a command beside it asks where visitors do.
    PORT: String(port),
    ...env,
  };
  writeFileSync(settingsOf(folder), writeSettings(settings), { mode: 0o600 });
  const parts = [
    ...databases.servers.map((each) => each.part),
    ...otherParts(folder, { ...ports, proxy: port }, databases),
    ...products.map((name) => product(name, folder, { ports, settings })),
  ];
  const part = (name: PartName) => {
    const found = parts.find((each) => each.name === name);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  };
  // Whoever gives up while it starts, or after it, leaves nothing: each ends in order when it is told.
  process.once("exit", () => {
    for (const each of parts) {
      // One that is stopped takes no other signal.
      each.signal("SIGCONT");
      each.signal("SIGTERM");
    }
  });
  const startAndWait = async (names: readonly PartName[]) => {
    for (const name of names) part(name).start();
    await Promise.all(names.map((name) => part(name).ready()));
  };
  const stop = async () => {
    for (const each of parts) each.retire();
    const last = ["database-proxy", "database2", "database1"];
    await Promise.all(parts.filter(({ name }) => !last.includes(name)).map((each) => each.end()));
    await part("database-proxy").end();
    const { primary, standby } = databases;
    // The primary first: it hands what it has to the standby.
    for (const each of [primary, standby]) {
      await each.part.end();
      // Where what keeps it running was killed a moment ago.
      await endPostgresOf(each.dataDir);
    }
  };
  try {
    await Promise.all([databases.start(), startAndWait(others)]);
    migrate(settings);
    await startAndWait(products);
    await startAndWait(["proxy"]);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    prometheusUrl: `http://127.0.0.1:${ports.prometheus}`,
    settings,
    databases,
    parts,
    part,
    stop,
    async ready() {
      await Promise.all(parts.map((each) => each.ready()));
      await databases.untilSynchronous();
    },
    async roll(to = thisVersion) {
      for (const name of products) {
        const code = await part(name).end();
        part(name).start(startOf(to));
        await part(name).ready();
        if (code !== 0)
          throw new ConfigError(
            `${name} did not end in order (${code ?? "by a signal"}). It was replaced; the others after it were not.`,
          );
        // Until the balancer has seen it, too.
        if (name.startsWith("web")) await wait(2_000);
      }
    },
  };
}

/** @throws ConfigError where the port is taken, or what was started in the folder still runs */
async function requireFree(folder: string, port: number): Promise<void> {
  for (const name of ["database1", "database2"]) {
    const running = readPostmaster(postgresFolder(path.join(folder, name)));
    if (running)
      throw new ConfigError(
        `In ${folder} a fleet runs, or what is left of one: process ${running.pid} and others.`,
      );
  }
  if (!(port > 0 && port < 65_536) || (await isListening(port)))
    throw new ConfigError(`PORT ${port} is taken, or is none.`);
}

const ported = [
  ...products,
  ...products.map((name) => `metrics-${name}` as const),
  ...(["database1", "database2", "check1", "check2", ...others] as const),
];
type Ports = Record<(typeof ported)[number], number>;

async function choosePorts(taken: number): Promise<Ports> {
  const ports = new Set([taken]);
  while (ports.size <= ported.length) ports.add(await freePort());
  const [, ...free] = ports;
  return Object.fromEntries(ported.map((name, nth) => [name, free[nth]])) as Ports;
}

function chooseSettings(folder: string, ports: Ports): Record<string, string> {
  const dataDir = path.join(folder, "data");
  // Makes both secrets, the first time.
  readConfig({ DATA_DIR: dataDir });
  return {
    NODE_ENV: "production",
    AUTH_SECRET: authSecret({}, dataDir),
    DOCUMENT_KEYS: readFileSync(path.join(dataDir, "secrets", "document-keys"), "utf8").trim(),
    S3_ENDPOINT: `http://127.0.0.1:${ports.store}/slips`,
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
    SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
    TRUSTED_PROXIES: "1",
    DRAIN_SECONDS: "5",
    WEB_CONCURRENCY: "1",
  };
}

const thisVersion = path.resolve(import.meta.dirname, "../..");
/** How the version in the folder is started. */
const startOf = (version: string) => ({
  args: [path.join(version, "scripts/start.ts")],
  cwd: version,
});

function product(
  name: (typeof products)[number],
  folder: string,
  { ports, settings }: { ports: Ports; settings: Record<string, string> },
): Part {
  const isWeb = name.startsWith("web");
  const metrics = ports[`metrics-${name}`];
  return new Part({
    name,
    command: process.execPath,
    ...startOf(thisVersion),
    env: {
      ...settings,
      ROLE: isWeb ? "web" : "worker",
      HOST: "127.0.0.1",
      PORT: String(ports[name]),
      METRICS_PORT: String(metrics),
      DATA_DIR: path.join(folder, name),
    },
    log: path.join(folder, "logs", `${name}.log`),
    isReady: () =>
      isWeb
        ? isOk(`http://127.0.0.1:${ports[name]}/readyz`)
        : isOk(`http://127.0.0.1:${metrics}/metrics`),
  });
}

function otherParts(
  folder: string,
  ports: Ports & { proxy: number },
  databases: Databases,
): Part[] {
  const haproxy = path.join(ensureProxies(), "haproxy");
  const of = (
    name: (typeof others)[number] | "proxy",
    command: string,
    args: string[],
    env: Record<string, string> = {},
  ) =>
    new Part({
      name,
      command,
      args,
      env,
      log: path.join(folder, "logs", `${name}.log`),
      isReady: () =>
        name === "database-proxy" ? databases.isReachedAt(ports[name]) : isListening(ports[name]),
    });
  const local = (port: number) => `127.0.0.1:${port}`;
  const script = (file: string) => path.join(import.meta.dirname, file);
  const proxied = (file: Parameters<typeof writeProxyFile>[0], port: number) => [
    "-db",
    "-f",
    writeProxyFile(file, { folder, port }),
  ];
  return [
    of("store", process.execPath, [
      script("store.ts"),
      path.join(folder, "store"),
      String(ports.store),
    ]),
    of("mail", process.execPath, [script("mail.ts"), mailsOf(folder), String(ports.mail)]),
    of("database-proxy", haproxy, proxied("database.cfg", ports["database-proxy"]), {
      DB1: local(ports.database1),
      DB2: local(ports.database2),
      CHECK1: String(ports.check1),
      CHECK2: String(ports.check2),
    }),
    of("proxy", haproxy, proxied("haproxy.cfg", ports.proxy), {
      WEB1: local(ports.web1),
      WEB2: local(ports.web2),
    }),
    of("prometheus", path.join(ensurePrometheus(), "prometheus"), [
      `--config.file=${writePrometheusFile(folder, ports)}`,
      `--storage.tsdb.path=${path.join(folder, "prometheus")}`,
      `--web.listen-address=${local(ports.prometheus)}`,
    ]),
  ];
}

/** The files of `deploy/prometheus`, with the ports of these products. */
function writePrometheusFile(folder: string, ports: Ports): string {
  const rules = "assay.rules.yml";
  copyFileSync(path.join("deploy/prometheus", rules), path.join(folder, rules));
  const targets = products.map((name) => `"127.0.0.1:${ports[`metrics-${name}`]}"`);
  const text = readFileSync("deploy/prometheus/prometheus.yml", "utf8");
  const file = path.join(folder, "prometheus.yml");
  writeFileSync(file, text.replace(/targets: \[.*?\]/, `targets: [${targets.join(", ")}]`));
  return file;
}

function migrate(settings: Record<string, string>): void {
  const script = path.join(import.meta.dirname, "../migrate.ts");
  const env = { ...process.env, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm run migrate: ${stdout}${stderr}`);
}

async function isOk(url: string): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await answer.text();
  return answer.ok;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
