import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { backupCommand } from "../../scripts/backup-command.ts";
import { drillCommand } from "../../scripts/drill-command.ts";
import { verifyCommand } from "../../scripts/verify-command.ts";
import { openBackupFolder } from "../../server/backups/backup-folder.ts";
import { findNewestBackup, listBackups, ofBase } from "../../server/backups/backup-names.ts";
import { shipFiles, shipWal } from "../../server/backups/ship-wal.ts";
import { readConfig } from "../../server/platform/config/read-config.ts";
import {
  findRunningEmbeddedPostgres,
  walArchive,
} from "../../server/platform/database/embedded-postgres.ts";
import { runBlocks } from "../setup/run-blocks.ts";
import { runInProcess } from "../setup/run-in-process.ts";
import { startProducts } from "../setup/started-product.ts";
import { startOperatorsServer, worksOffAJob } from "./operators-server.ts";

const page = readFileSync("docs/operating/backup-and-restore.md", "utf8");
const folder = mkdtempSync(path.join(tmpdir(), "assay-restore-"));
const start = startProducts(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a demo fills itself with invented people, marked as a demo on every page; dumped or backed up while it runs, and restored, word for word as the page says, it starts again, works and verifies", async () => {
  const keys = await makeKeys();
  const demo = await start("demo", keys.settings, { script: "demo" });
  await expect.poll(() => demo.output).toContain("password of all");
  for (const address of ["/", "/login", "/nowhere"]) {
    expect(await (await fetch(demo.url + address)).text()).toContain(
      "Every person and figure here is invented",
    );
  }
  await expect.poll(() => firstPrices(demo.url)).toContain('"asset":"BTC"');
  expect(await firstPrices(demo.url)).not.toContain('"simulated":false');

  const work = path.join(folder, "backup");
  mkdirSync(work);
  await runBlocks(page, "### Dump", work, {
    DATABASE_OWNER_URL: findRunningEmbeddedPostgres(path.join(folder, "demo"))?.ownerUrl ?? "",
    DATA_DIR: path.join(folder, "demo"),
  });
  const server = await startOperatorsServer(folder);
  const target = await server.newDatabase("restored", "createrole");
  // As where another database of the server has the role already.
  await server.admin.query("create role assay_app nologin");
  await server.admin.query("grant assay_app to restored with admin option");
  const DATA_DIR = path.join(folder, "restored");
  mkdirSync(DATA_DIR);
  await runBlocks(page, "### Restore the dump", work, {
    NEW_OWNER_URL: target,
    OWNER: "restored",
    DATA_DIR,
  });
  const moment = await backUp(keys);
  expect(await demo.end("SIGTERM")).toBe(0);
  // What it stored in its last minute.
  await shipAll({ ...keys.settings, DATA_DIR: path.join(folder, "demo") });

  // The demo may have swept away a file since.
  expect(filesBelow("restored")).toEqual(expect.arrayContaining(filesBelow("demo")));
  const env = { DATABASE_URL: target, DEMO: "1" };
  const restored = await start("restored", env);
  await restored.healthy();
  await worksOffAJob(target);
  for (const subject of ["ledger", "mining", "audit"]) await verify(subject, { ...env, DATA_DIR });
  await restored.end("SIGTERM");
  await restoreBackups(keys, moment);
  await moves("moment", server);
  await server.stop();
});

/** As the page says: what `new-key` prints goes into the settings, and into a file elsewhere. */
async function makeKeys() {
  const { stdout } = await runInProcess(backupCommand, ["new-key"], process.env);
  const [, BACKUP_RECIPIENT = ""] = /BACKUP_RECIPIENT=(age1\w+)/.exec(stdout) ?? [];
  const [identity] = /AGE-SECRET-KEY-\w+/.exec(stdout) ?? [];
  const KEY = path.join(folder, "identity");
  writeFileSync(KEY, `${identity}\n`);
  const BACKUP_FOLDER = path.join(folder, "backups");
  mkdirSync(BACKUP_FOLDER);
  return { KEY, settings: { BACKUP_FOLDER, BACKUP_RECIPIENT } };
}

/** While it runs, by the page. @returns a moment, after which everybody was renamed */
async function backUp({ KEY, settings }: Awaited<ReturnType<typeof makeKeys>>): Promise<Date> {
  const DATA_DIR = path.join(folder, "demo");
  const env = { KEY, ...settings, DATA_DIR };
  // The first is made by itself.
  const kept = openBackupFolder(settings.BACKUP_FOLDER);
  await expect.poll(() => listBackups(kept)).not.toHaveLength(0);
  await runBlocks(page, "### Make a backup now", process.cwd(), env);
  const client = new pg.Client(findRunningEmbeddedPostgres(DATA_DIR)?.ownerUrl);
  await client.connect();
  await client.query("update users set first_name = 'Before'");
  const { rows } = await client.query("select clock_timestamp() as at, pg_sleep(0.005)");
  await client.query("update users set first_name = 'After'");
  const { rows: written } = await client.query("select pg_walfile_name(pg_switch_wal()) as name");
  await client.end();
  const wal = () =>
    [walArchive(DATA_DIR), path.join(settings.BACKUP_FOLDER, "wal")].flatMap((each) =>
      readdirSync(each),
    );
  const archived = new RegExp(`^${written[0].name}(\\.zst\\.age)?$`);
  await expect.poll(wal).toContainEqual(expect.stringMatching(archived));
  await shipAll(env);
  await runBlocks(page, "## Prove it", process.cwd(), { ...env, TMPDIR: folder });
  await failsToHold(env);
  return new Date(rows[0].at.getTime() + 1);
}

/** A backup that was cut short is found by its drill, and the console of the product that runs says so. */
async function failsToHold(env: { KEY: string; BACKUP_FOLDER: string; DATA_DIR: string }) {
  const newest = await findNewestBackup(openBackupFolder(env.BACKUP_FOLDER));
  const base = path.join(env.BACKUP_FOLDER, ofBase(newest?.moment ?? "").base);
  const whole = readFileSync(base);
  const marks = async () => {
    const client = new pg.Client(findRunningEmbeddedPostgres(env.DATA_DIR)?.ownerUrl);
    await client.connect();
    const { rows } = await client.query("select holds from backup_marks where of = 'drill'");
    await client.end();
    return rows;
  };
  expect(await marks()).toEqual([{ holds: true }]);
  writeFileSync(base, whole.subarray(0, whole.length / 2));
  const { status, stdout } = await runInProcess(drillCommand, ["--identity", env.KEY], env);
  writeFileSync(base, whole);
  expect(status).toBe(1);
  expect(stdout).toMatch(/WRONG {2}it can be restored: .*\nIt did NOT hold\.\n$/);
  expect(await marks()).toEqual([{ holds: false }]);
}

/** As the job of each minute. */
async function shipAll(env: Record<string, string>): Promise<void> {
  const { backups, ...config } = readConfig(env);
  if (!backups) throw new Error("no backups");
  await shipWal({ ...config, backups });
  await shipFiles({ ...config, backups });
}

/** After the machine was lost: the newest, and the moment. */
async function restoreBackups(
  { KEY, settings }: Awaited<ReturnType<typeof makeKeys>>,
  moment: Date,
): Promise<void> {
  const at = (name: string) => path.join(folder, name);
  const { BACKUP_FOLDER } = settings;
  const restore = (heading: string, name: string) =>
    runBlocks(page, heading, process.cwd(), {
      ...{ KEY, BACKUP_FOLDER, DATA_DIR: at(name), TIME: moment.toISOString() },
    });
  await restore("### Restore", "newest");
  await restore("### Restore a moment", "moment");
  for (const [name, found] of [
    ["newest", "After"],
    ["moment", "Before"],
  ] as const) {
    const again = await start(name, {}, { script: "demo" });
    await again.healthy();
    const client = new pg.Client(findRunningEmbeddedPostgres(at(name))?.ownerUrl);
    await client.connect();
    expect((await client.query("select distinct first_name from users")).rows).toEqual([
      { first_name: found },
    ]);
    await client.end();
    await again.end("SIGTERM");
    expect(filesBelow(name)).toEqual(expect.arrayContaining(filesBelow("demo")));
  }
}

/** From the embedded database to one of the operator's own, by the page; what is left behind does not start. */
async function moves(
  name: string,
  server: Awaited<ReturnType<typeof startOperatorsServer>>,
): Promise<void> {
  const url = await server.newDatabase("moved", "createrole");
  const DATA_DIR = path.join(folder, name);
  await server.admin.query("grant assay_app to moved with admin option");
  await runBlocks(page, "### Move", process.cwd(), { DATA_DIR, NEW_OWNER_URL: url });
  const left = await start(name, {}, { script: "demo" });
  expect(await left.exited).toBe(1);
  expect(left.output).toContain("was moved: set DATABASE_URL");
  const moved = await start(name, { DATABASE_URL: url, DEMO: "1" });
  await moved.healthy();
  await worksOffAJob(url);
  await verify("ledger", { DATABASE_URL: url, DATA_DIR });
}

/** The first prices that a stream brings. */
async function firstPrices(url: string): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/events/prices`, { signal: leaving.signal });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (/^data: .*\n\n/m.test(text)) break;
  }
  leaving.abort();
  return text;
}

async function verify(subject: string, env: Record<string, string>): Promise<void> {
  const said = await runInProcess(verifyCommand, [subject], { ...process.env, ...env });
  expect(said).toMatchObject({ status: 0, stderr: "" });
  expect(said.stdout).toContain("ok ");
}

function filesBelow(product: string): string[] {
  const files = path.join(folder, product, "files");
  return readdirSync(files, { recursive: true, encoding: "utf8" }).sort();
}
