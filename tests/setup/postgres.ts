import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { startEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { letFactoriesActAsMachine } from "./act-as-machine.ts";

/** One PostgreSQL for the whole run, with a migrated template that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Once, before test files that want the pages run side by side.
  buildWhenNeeded();
  const shared = process.env["TEST_SERVER"];
  const server = shared ? { ...JSON.parse(shared), stop: async () => {} } : await startTestServer();
  const { ownerUrl, applicationUrl, stop } = server;
  // Its functions may have changed since they were made.
  if (shared) await makeTemplate(ownerUrl);
  project.provide("postgres", { ownerUrl, applicationUrl });
  return stop;
}

/** PostgreSQL for tests, which several runs after each other can share: its addresses as JSON in TEST_SERVER. */
export async function startTestServer(flags: string[] = []) {
  const folder = mkdtempSync(path.join(tmpdir(), "assay-test-"));
  const { ownerUrl, applicationUrl, pid, stop } = await startEmbeddedPostgres(folder, {
    flags: [
      // Durability has tests of its own, on a server of their own.
      ...["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"],
      ...["-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "max_wal_size=4GB"],
      // It would visit each file's database in turn, none of which lives long enough to need it.
      ...["-c", "autovacuum=off"],
      // Each file has up to three pools, and two processes in one file try fifty things at once.
      ...["-c", "max_connections=300"],
      ...flags,
    ],
  });
  const end = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await execute(databaseUrl(ownerUrl, "postgres"), "create database assay_template");
    await makeTemplate(ownerUrl);
  } catch (error) {
    await end();
    throw error;
  }
  return { ownerUrl, applicationUrl, pid, stop: end };
}

async function makeTemplate(ownerUrl: string): Promise<void> {
  const template = databaseUrl(ownerUrl, "assay_template");
  await migrate(template, { isReapplied: true });
  await letFactoriesActAsMachine(template);
  // The product lists no conversions; tests give and spend coins by them where no document is at hand.
  await execute(
    template,
    `alter table ledger_transfer_kinds disable trigger the_chart_is_frozen;
     insert into ledger_transfer_kinds values ('conversion', '{available,conversion}', '{available,conversion}')
       on conflict do nothing;
     alter table ledger_transfer_kinds enable always trigger the_chart_is_frozen`,
  );
}

export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

declare module "vitest" {
  interface ProvidedContext {
    postgres: { ownerUrl: string; applicationUrl: string };
  }
}
