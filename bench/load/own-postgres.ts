import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../server/platform/database/embedded-postgres.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { type Db, openDatabase } from "../../server/platform/database.ts";
import { openLog } from "../../server/platform/log/log.ts";
import { letFactoriesActAsMachine } from "../../tests/setup/act-as-machine.ts";

interface OwnPostgres extends EmbeddedPostgres {
  /** Its data, and whatever else the bench writes. */
  folder: string;
}

/** A PostgreSQL of a bench's own, whose folder is gone once it is stopped. `flags` are options of the server. */
export async function startOwnPostgres(flags: string[] = []): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));
  const postgres = await startEmbeddedPostgres(folder, { flags });
  return {
    folder,
    ownerUrl: postgres.ownerUrl,
    applicationUrl: postgres.applicationUrl,
    get pid() {
      return postgres.pid;
    },
    async stop() {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The product's tables, on which coins may be given, and put aside, by a kind that the product does not list and that nothing
 * has to stand behind: that would be measured with the ledger. All of the ledger's guards stay, and look at every transfer.
 */
export async function migrateForBench(ownerUrl: string): Promise<void> {
  await migrate(ownerUrl);
  await withOwner(
    ownerUrl,
    `alter table ledger_transfer_kinds disable trigger the_chart_is_frozen;
     insert into ledger_transfer_kinds values ('conversion', '{available,conversion}', '{available,conversion,held}');
     alter table ledger_transfer_kinds enable always trigger the_chart_is_frozen`,
  );
  await letFactoriesActAsMachine(ownerUrl);
}

/** A further database of a server, with the product's tables. */
export async function createDatabase(
  postgres: EmbeddedPostgres,
  name: string,
): Promise<{ ownerUrl: string; applicationUrl: string }> {
  await withOwner(postgres.ownerUrl, `create database ${name}`);
  await withOwner(postgres.ownerUrl, `grant connect on database ${name} to public`);
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).toString();
  await migrateForBench(at(postgres.ownerUrl));
  return { ownerUrl: at(postgres.ownerUrl), applicationUrl: at(postgres.applicationUrl) };
}

export async function dropDatabase({ ownerUrl }: EmbeddedPostgres, name: string): Promise<void> {
  await withOwner(ownerUrl, `drop database ${name} with (force)`);
}

async function withOwner(ownerUrl: string, sql: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(sql);
  await owner.end();
}

/** Lets transfers be posted that nothing stands behind. */
export async function withoutDocuments(ownerUrl: string): Promise<void> {
  await withOwner(
    ownerUrl,
    "alter table ledger_transfers disable trigger transfers_have_their_document",
  );
}

/** Runs a bench on the product's tables in such a PostgreSQL, and stops it. */
export async function benchOn(
  postgres: EmbeddedPostgres,
  bench: (db: Db) => Promise<void>,
): Promise<void> {
  try {
    await migrateForBench(postgres.ownerUrl);
    const db = openDatabase(postgres.applicationUrl, openLog("silent"));
    try {
      await bench(db);
    } finally {
      await db.$client.end();
    }
  } finally {
    await postgres.stop();
  }
}
