import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Db, openDatabase } from "../../server/platform/database.ts";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../server/platform/embedded-postgres.ts";
import { openLog } from "../../server/platform/log.ts";
import { migrate } from "../../server/platform/migrate.ts";

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

/** Runs a bench on the product's tables in such a PostgreSQL, and stops it. */
export async function benchOn(
  postgres: EmbeddedPostgres,
  bench: (db: Db) => Promise<void>,
): Promise<void> {
  try {
    await migrate(postgres.ownerUrl);
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
