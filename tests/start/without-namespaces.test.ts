import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { makeBackup } from "../../server/backups/make-backup.ts";
import { startEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import { createBackupFolder } from "../factories/backups.ts";

// As in most containers: root, but `unshare` is not allowed.
const folder = mkdtempSync(path.join(tmpdir(), "assay-contained-"));
chmodSync(folder, 0o755);
const bin = path.join(folder, "bin");
mkdirSync(bin);
writeFileSync(path.join(bin, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
process.env["PATH"] = `${bin}${path.delimiter}${process.env["PATH"]}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("creates the database as a system user where root has no user namespaces, backs it up and restores it, or says why not", async () => {
  const dataDir = path.join(folder, "data");
  try {
    const postgres = await startEmbeddedPostgres(dataDir, { archives: true });
    const client = new pg.Client({ connectionString: postgres.ownerUrl });
    await client.connect();
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await client.end();
    await isRestored(dataDir, postgres.ownerUrl);
    await postgres.stop();
  } catch (error) {
    // A checkout that only root can enter.
    expect((error as Error).message).toContain("the user postgres may not enter this folder");
  }
});

async function isRestored(dataDir: string, ownerUrl: string): Promise<void> {
  await migrate(ownerUrl);
  const { backups, restore } = await createBackupFolder(path.join(folder, "backups"));
  const making = { now: () => new Date(), asked: true };
  await makeBackup(ownerUrl, { dataDir, s3: null, backups }, making);
  // As mkdtemp makes folders: of root alone.
  const target = path.join(folder, "restored");
  mkdirSync(target, { mode: 0o700 });
  await restore(target);
  const restored = await startEmbeddedPostgres(target);
  await restored.stop();
}
