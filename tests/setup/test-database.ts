import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { type Db, keepingConnections, openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { databaseUrl } from "./postgres.ts";
import { patienceMs } from "./slowness.ts";

/**
 * Takes away what rooms above the ledger ask of the ledger, a document behind each transfer: for tests of the ledger alone,
 * and of what reads it. Tests of the rooms never do.
 */
export async function withoutDocuments(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  // On the disk, also where a test lets commits not wait for it and then kills PostgreSQL.
  await client.query("set synchronous_commit = on");
  await client.query("alter table ledger_transfers disable trigger transfers_have_their_document");
  await client.end();
}

/** Fifty acts at once wait for each other's connections longer on a busy machine: no outage, which the product would end. */
export function patient(db: Db): Db {
  db.$client.options.connectionTimeoutMillis = patienceMs;
  return db;
}

export interface TestDatabase {
  /** Works as the application's role, like the product. */
  db: Db;
  /** Works as the owner of the tables: for tests that try what the application may not. */
  owner: pg.Pool;
  ownerUrl: string;
  applicationUrl: string;
}

/**
 * Copies the migrated template for this test file; it is dropped afterwards. Call it at the top of the file.
 * `documents: false`: the ledger takes deposits and holds that nothing stands behind.
 */
export async function testDatabase({ documents = true } = {}): Promise<TestDatabase> {
  const server = inject("postgres");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: databaseUrl(server.ownerUrl, "postgres") });
  await admin.connect();
  // Sixteen megabytes of copied pages would go through the log, and through memory when they are dropped.
  await admin.query(`create database ${name} template assay_template strategy file_copy`);
  const ownerUrl = databaseUrl(server.ownerUrl, name);
  const applicationUrl = databaseUrl(server.applicationUrl, name);
  const db = patient(openDatabase(applicationUrl, openLog("silent")));
  const owner = keepingConnections(new pg.Pool({ connectionString: ownerUrl, max: 4 }));
  owner.on("error", () => {});
  if (!documents) await withoutDocuments(ownerUrl);
  afterAll(async () => {
    await db.$client.end();
    await owner.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { db, owner, ownerUrl, applicationUrl };
}
