import { namesFingerprint } from "#core/wallet/wallet-key.ts";
import type { App } from "./app-context.ts";
import { recordWallets } from "./chain/wallets/record-wallets.ts";
import { hasOperator } from "./identity/staff/find-operator.ts";
import { startMetrics } from "./metrics.ts";
import { openApp } from "./open-app.ts";
import { originOf } from "./platform/config/read-config.ts";
import type { Config } from "./platform/config.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "./platform/database/embedded-postgres.ts";
import { rememberAddress } from "./platform/database/last-address.ts";
import { migrate } from "./platform/database/migrate.ts";
import { requireSameInstallation } from "./platform/database/require-same-installation.ts";
import { requireApplicationRole, requireKeptSettings } from "./platform/database.ts";
import { type Log, openLog } from "./platform/log/log.ts";
import { requireSameKeys } from "./platform/require-same-keys.ts";
import type { Pages, Web } from "./web.ts";
import { startWebProcesses } from "./web-processes.ts";
import { startWorker, type Worker } from "./worker.ts";

export interface Product {
  app: App;
  /** Where Prometheus asks; null: nowhere. */
  metricsPort: number | null;
  /** Where it answers; null for a worker alone. */
  url: string | null;
  /** Whether somebody can sign in to the console yet. */
  hasOperator: boolean;
  /** Finishes requests and jobs under way, closes the database, ends the embedded PostgreSQL. */
  stop(): Promise<void>;
}

/**
 * Starts the product as configured: database, migrations, then web (here, or in processes of its own), worker or both.
 * What was started before a failure is stopped again. `prepare` is done before anybody can ask and any job runs.
 *
 * @throws ConfigError, AlreadyRunning or MigrationError with the one line that the operator needs.
 */
export async function startProduct(
  config: Config,
  pages: () => Promise<Pages>,
  prepare: (app: App, ownerUrl: string) => Promise<void> = async () => {},
): Promise<Product> {
  const log = openLog(config.logLevel);
  warnOfRisks(config, log);
  const stops: Array<() => Promise<void>> = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const database = await openDatabases(config, log);
    stops.push(database.stop);
    if (config.databaseUrl) await requireKeptSettings("DATABASE_URL", config.databaseUrl);
    if (config.databaseOwnerUrl) {
      await requireKeptSettings("DATABASE_OWNER_URL", config.databaseOwnerUrl);
    }
    await migrate(database.ownerUrl, {
      isReapplied: process.env["NODE_ENV"] === "development",
      onWait: (tried) => log.warn({ tried }, "tables are in use: the schema is applied later"),
    });
    await requireApplicationRole(database.applicationUrl);
    const app = openApp(config, log, database.applicationUrl, {
      ...(config.databaseConnections && { connections: config.databaseConnections }),
      part: config.role === "all" && config.webProcesses > 1 ? "worker" : config.role,
    });
    stops.push(() => app.db.$client.end());
    await requireSameInstallation(app.db, config, app.now());
    await requireSameKeys(app);
    await recordWallets(app.db, Object.values(config.wallets), app.now());
    await prepare(app, database.ownerUrl);
    let web: Web | null = null;
    const metrics = await startMetrics(app, async () => [
      // Of a process that answers HTTP itself the two are the same.
      ...(app.metrics && (!web || config.webProcesses > 1) ? [await app.metrics.measured()] : []),
      ...((await web?.measured()) ?? []),
    ]);
    if (metrics) stops.push(metrics.stop);
    web = await startWebWhenWanted(app, pages, database.applicationUrl);
    const worker = await startWorkerWhenWanted(app);
    stops.push(async () => {
      await Promise.all([web?.stop(), worker?.stop()]);
    });
    const url = web ? originOf(config.host, web.port) : null;
    if (web) rememberAddress(config.dataDir, config.appUrl);
    const metricsPort = metrics?.port ?? null;
    return { app, url, metricsPort, hasOperator: await hasOperator(app.db), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What works, but should not stand between real money and the world. */
function warnOfRisks(config: Config, log: Log): void {
  const { bitcoin } = config.wallets;
  if (bitcoin && !namesFingerprint(bitcoin)) {
    log.warn(
      "DEPOSIT_WALLET_BITCOIN has no fingerprint: hardware signers refuse its batches. Write it as [fingerprint/path]xpub",
    );
  }
  if (config.network !== "mainnet") return;
  const plain = "APP_URL is not https: passwords and sessions travel in the clear";
  if (!config.appUrl.startsWith("https:")) log.warn(plain);
  if (!config.smtpUrl) log.warn("SMTP_URL is missing: customers get no mail");
  if (!config.databaseUrl && !config.backups) {
    log.warn("BACKUP_FOLDER is missing: what is on this disk is nowhere else");
  }
  if (config.databaseUrl && !config.databaseOwnerUrl) {
    log.warn("DATABASE_OWNER_URL is missing: the pages' login owns the ledger's tables");
  }
}

async function openDatabases(config: Config, log: Log) {
  if (config.databaseUrl) {
    const ownerUrl = config.databaseOwnerUrl ?? config.databaseUrl;
    return { ownerUrl, applicationUrl: config.databaseUrl, stop: async () => {} };
  }
  const onLine = (line: string) => {
    // PostgreSQL repeats statements in its log, and those hold what people typed: only its own words pass.
    const [words] = /(WARNING|FATAL|PANIC): .*/.exec(line) ?? [];
    if (words && !isPartOfStarting.test(words)) log.warn({ postgres: words }, "database");
  };
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres(config.dataDir, {
    archives: config.backups !== null,
    onLine,
  });
  return { ...postgres, stop: () => postgres.stop() };
}

/** Connections that ask too early, or are ended on purpose. */
const isPartOfStarting = /the database system is (starting up|shutting down)|administrator command/;

async function startWebWhenWanted(
  app: App,
  pages: () => Promise<Pages>,
  databaseUrl: string,
): Promise<Web | null> {
  const { config, log } = app;
  if (config.role === "worker") return null;
  if (config.webProcesses > 1) return startWebProcesses(config, databaseUrl, log);
  // Only a process that answers loads what answers.
  const { startWeb } = await import("./web.ts");
  return startWeb(app, await pages());
}

async function startWorkerWhenWanted(app: App): Promise<Worker | null> {
  return app.config.role === "web" ? null : startWorker(app);
}
