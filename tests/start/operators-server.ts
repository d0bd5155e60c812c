import path from "node:path";
import pg from "pg";
import { expect } from "vitest";
import { startEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";

/** A PostgreSQL server of the operator's own, which has no role of ours before the first start. */
export async function startOperatorsServer(folder: string) {
  const server = await startEmbeddedPostgres(path.join(folder, "server"));
  const admin = new pg.Client({ connectionString: server.ownerUrl });
  await admin.connect();
  await admin.query("drop owned by assay_login, assay_app");
  await admin.query("drop role assay_login, assay_app");
  const urlOf = (login: string, database: string) => {
    const url = new URL(server.ownerUrl);
    url.username = login;
    url.password = "secret";
    url.pathname = `/${database}`;
    return url.toString();
  };
  return {
    admin,
    urlOf,
    /** A database and a login that owns it; returns its address. */
    async newDatabase(name: string, ...rights: string[]): Promise<string> {
      await admin.query(`create role ${name} login password 'secret' ${rights.join(" ")}`);
      await admin.query(`create database ${name} owner ${name}`);
      return urlOf(name, name);
    },
    async stop() {
      await admin.end();
      await server.stop();
    },
  };
}

/** Gives the worker of a running product a job, as the application would, and waits until it is done. */
export async function worksOffAJob(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("set role assay_app");
    const { rows } = await client.query(
      "select id::text from graphile_worker.add_job('identity/sweep-ended')",
    );
    const left = () => client.query("select from graphile_worker.jobs where id = $1", [rows[0].id]);
    await expect.poll(async () => (await left()).rowCount).toBe(0);
  } finally {
    await client.end();
  }
}
