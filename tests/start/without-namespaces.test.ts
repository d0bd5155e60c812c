import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { startEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";

// As in most containers: root, but `unshare` is not allowed.
const folder = mkdtempSync(path.join(tmpdir(), "assay-contained-"));
chmodSync(folder, 0o755);
const bin = path.join(folder, "bin");
mkdirSync(bin);
writeFileSync(path.join(bin, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
process.env["PATH"] = `${bin}${path.delimiter}${process.env["PATH"]}`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("creates the database as a system user where root has no user namespaces, or says why not", async () => {
  const dataDir = path.join(folder, "data");
  try {
    const postgres = await startEmbeddedPostgres(dataDir);
    const client = new pg.Client({ connectionString: postgres.ownerUrl });
    await client.connect();
    expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await client.end();
    await postgres.stop();
  } catch (error) {
    // A checkout that only root can enter.
    expect((error as Error).message).toContain("the user postgres may not enter this folder");
  }
});
