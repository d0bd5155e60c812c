import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { lateAdvice } from "#core/late.ts";
import { freePort } from "#tests/setup/free-port.ts";
import { runInProcess } from "#tests/setup/run-in-process.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import { openFileStore } from "../server/platform/files/open-file-store.ts";
import { openLog } from "../server/platform/log/log.ts";
import { requireSameKeys } from "../server/platform/require-same-keys.ts";
import { doctorCommand } from "./doctor-command.ts";

const { db, owner, ownerUrl } = await testDatabase();
const folder = mkdtempSync(path.join(tmpdir(), "assay-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const port = await freePort();

const settings = {
  DATA_DIR: folder,
  AUTH_SECRET: "x".repeat(40),
  PRICE_SOURCES: "off",
  ROLE: "worker",
};
const examine = (env: Record<string, string>) =>
  runInProcess((_, own, printed) => doctorCommand(own, printed), [], { ...settings, ...env });
const database = { DATABASE_URL: ownerUrl };

test("says what is late with what to do, as Health does, and that nothing is", async () => {
  const late = await examine({ ...database, BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1" });
  expect(late.status).toBe(1);
  expect(late.stdout).toMatch(/^ok {4} .* are free where DATA_DIR is\.$/m);
  expect(late.stdout).toContain(`WRONG  No worker has run yet.\n       ${lateAdvice.worker}`);
  await owner.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution) values ('a', now(), now())`,
  );
  const asked = await examine({ ...database, BITCOIN_RPC_URL: "http://user:word@127.0.0.1:1" });
  expect(asked.stdout).toContain(
    `WRONG  Bitcoin: the node has never been asked.\n       ${lateAdvice["chain-silent"]}`,
  );
  expect(asked.stdout).not.toContain("word");
  const well = await examine(database);
  expect(well).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("ok     Nothing is late."),
  });
});

test("says that the product does not answer or run, which settings are wrong, and whose keys they are", async () => {
  const silent = await examine({ ...database, ROLE: "web", PORT: String(port) });
  expect(silent.stdout).toContain(`WRONG  http://127.0.0.1:${port}/readyz does not answer.`);
  expect((await examine({})).stdout).toContain("There is no database in DATA_DIR");
  expect((await examine({ ...database, PORT: "many" })).stdout).toContain("WRONG  PORT must be");
  const noted = async () => (await owner.query("select * from installation_keys order by of")).rows;
  // Whoever looks is no start: the keys of the shell are not those of the product.
  expect(await noted()).toEqual([]);
  const config = readConfig(settings);
  await requireSameKeys({
    db,
    config,
    files: openFileStore(config, openLog("silent")),
    log: openLog("silent"),
    now: () => new Date(),
  });
  const ofProduct = await noted();
  expect(ofProduct).toHaveLength(3);
  expect((await examine(database)).status).toBe(0);
  const others = await examine({ ...database, AUTH_SECRET: "y".repeat(40) });
  expect(others.stdout).toContain("WRONG  AUTH_SECRET is another one");
  const next = { AUTH_SECRET: "z".repeat(40), AUTH_SECRET_BEFORE: settings.AUTH_SECRET };
  expect((await examine({ ...database, ...next })).status).toBe(0);
  expect(await noted()).toEqual(ofProduct);
});
