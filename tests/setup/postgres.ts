import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { buildWhenNeeded } from "../../scripts/build.ts";
import { startEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { letFactoriesActAsMachine } from "./act-as-machine.ts";

/** One PostgreSQL for the whole run, with a migrated template that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Once, before test files that want the pages run side by side.
  buildWhenNeeded();
  const folder = mkdtempSync(path.join(tmpdir(), "assay-test-"));
  const postgres = await startEmbeddedPostgres(folder, {
    flags: [
      // Durability has tests of its own, on a server of their own.
      ...["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"],
      // Each file has up to three pools, and two processes in one file try fifty things at once.
      ...["-c", "max_connections=300"],
    ],
  });
  const template = databaseUrl(postgres.ownerUrl, "assay_template");
  await execute(databaseUrl(postgres.ownerUrl, "postgres"), "create database assay_template");
  await migrate(template);
  await letFactoriesActAsMachine(template);
  // The product lists no conversions; tests give and spend coins by them where no document is at hand.
  await execute(
    template,
    `alter table ledger_transfer_kinds disable trigger the_chart_is_frozen;
     insert into ledger_transfer_kinds values ('conversion', '{available,conversion}', '{available,conversion}');
     alter table ledger_transfer_kinds enable always trigger the_chart_is_frozen`,
  );
  project.provide("postgres", {
    ownerUrl: postgres.ownerUrl,
    applicationUrl: postgres.applicationUrl,
  });
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
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
