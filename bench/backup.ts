import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createZstdCompress } from "node:zlib";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import pg from "pg";
import { makeBackup } from "../server/backups/make-backup.ts";
import { restoreBackup } from "../server/backups/restore-backup.ts";
import { shipWal } from "../server/backups/ship-wal.ts";
import { postMiningDay } from "../server/mining/days/post-mining-day.ts";
import { readConfig } from "../server/platform/config/read-config.ts";
import { startEmbeddedPostgres } from "../server/platform/database/embedded-postgres.ts";
import { type Db, openDatabase } from "../server/platform/database.ts";
import { openLog } from "../server/platform/log/log.ts";
import { dayAfter } from "../tests/factories/mining.ts";
import { afterDay, bringEvidence, fillSite, firstDay } from "./load/credit-load.ts";
import { migrateForBench } from "./load/own-postgres.ts";
import { hold } from "./load/table.ts";

const { values: options } = parseArgs({
  options: {
    contracts: { type: "string", default: "300000" },
    days: { type: "string", default: "4" },
  },
});
const contracts = Number(options.contracts);
const days = Number(options.days);
const reference = "tar and zstd of the folder";
/** Times as long: a backup is encrypted, too, and a restore goes through what PostgreSQL wrote in a day. */
const bars = { backup: 2.5, restore: 7 };

const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));
const at = (name: string) => path.join(folder, name);
for (const name of ["site", "backups", "restored"]) mkdirSync(at(name));
const identity = await generateX25519Identity();
const { backups, ...site } = readConfig({
  DATA_DIR: at("site"),
  BACKUP_FOLDER: at("backups"),
  BACKUP_RECIPIENT: await identityToRecipient(identity),
});
if (!backups) throw new Error("BACKUP_FOLDER says where they are");
const config = { ...site, backups };
const flags = ["-c", "shared_buffers=1GB", "-c", "max_wal_size=8GB"];
const postgres = await startEmbeddedPostgres(at("site"), { archives: true, flags });
const owner = new pg.Pool({ connectionString: postgres.ownerUrl, max: 2 });
owner.on("error", () => {});
try {
  await migrateForBench(postgres.ownerUrl);
  const db = openDatabase(postgres.applicationUrl, openLog("silent"));
  await bench(db).finally(() => db.$client.end());
} finally {
  await owner.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function bench(db: Db): Promise<void> {
  const poolId = await fillSite(db, owner, contracts);
  let day = firstDay;
  const credit = async () => {
    await bringEvidence(db, poolId, day, contracts);
    await postMiningDay(db, day, afterDay(day));
    day = dayAfter(day, 1);
  };
  const before = await sizeOf();
  for (let nth = 0; nth < days; nth += 1) await credit();
  const bytes = await sizeOf();
  console.log(`A database of ${megabytes(bytes)}: ${contracts} contracts, ${days} days.`);
  const kept = (bytes - before) / days / contracts;
  console.log(`What one contract's day keeps: ${Math.round(kept)} bytes.`);

  // Its log so far is not in what is measured.
  await shipUpToNow();
  await owner.query("checkpoint");
  const bare = await seconds(packFolder);
  report(reference, bytes, bare);
  const whole = await seconds(async () => {
    const made = await makeBackup(postgres.ownerUrl, config, {
      now: () => new Date(),
      asked: true,
    });
    console.log(`The backup: ${megabytes(made?.bytes ?? 0)}.`);
  });
  report("Backup", bytes, whole);
  hold({ work: "a backup", beside: reference, figure: whole / bare, atMost: bars.backup });

  const start = await position();
  await credit();
  const wal = (await position()) - start;
  console.log(`A day's log: ${megabytes(wal)}, ${Math.round(wal / contracts)} bytes a contract.`);
  const credited = new Date();
  await shipUpToNow();
  const restored = await seconds(() => restore(credited));
  report("Restore, with that day's log", bytes + wal, restored);
  const work = "a restore, with a day's log";
  hold({ work, beside: reference, figure: restored / bare, atMost: bars.restore });
}

/** The whole log up to this moment, once PostgreSQL has archived it. */
async function shipUpToNow(): Promise<void> {
  const { rows } = await owner.query("select pg_walfile_name(pg_switch_wal()) as name");
  const isArchived = async () =>
    (
      await owner.query("select from pg_stat_archiver where last_archived_wal >= $1", [
        rows[0].name,
      ])
    ).rowCount === 1;
  while (!(await isArchived())) await wait(100);
  await shipWal(config);
}

async function packFolder(): Promise<void> {
  const args = ["-c", "--exclude=pg_wal/*", "-C", at("site"), "postgres"];
  const tar = spawn("tar", args, { stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(tar, "close");
  await pipeline(tar.stdout, createZstdCompress(), createWriteStream(at("packed")));
  const [code] = await ended;
  // A running database changes its files meanwhile, of which tar tells with 1.
  if (code > 1) throw new Error(`tar ended with ${code}`);
}

/** @throws Error where it is not whole, or ends before the moment */
async function restore(moment: Date): Promise<void> {
  const { faults, upTo } = await restoreBackup({
    ...{ from: at("backups"), identities: [identity], to: null, dataDir: at("restored") },
    signal: new AbortController().signal,
    whichAreNamed: async () => [],
  });
  if (faults.length > 0) throw new Error(faults.join());
  if (!upTo || moment.getTime() - upTo.getTime() > 60_000) throw new Error(`up to ${upTo}`);
}

async function sizeOf(): Promise<number> {
  const size = "select pg_database_size(current_database())::float8 as bytes";
  return (await owner.query(size)).rows[0].bytes;
}

async function position(): Promise<number> {
  const { rows } = await owner.query("select (pg_current_wal_lsn() - '0/0')::float8 as at");
  return rows[0].at;
}

function report(what: string, size: number, took: number): void {
  console.log(`${what}: ${took.toFixed(1)} s, ${megabytes(size / took)} a second.`);
}

async function seconds(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return (performance.now() - started) / 1_000;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
