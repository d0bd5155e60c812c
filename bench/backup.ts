import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
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
import { openDatabase } from "../server/platform/database.ts";
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
/** Times as long. */
const bars = { backup: 1.5, restore: 3 };

const folder = mkdtempSync(path.join(tmpdir(), "assay-bench-"));
const at = (name: string) => path.join(folder, name);
try {
  await bench();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const identity = await generateX25519Identity();
  for (const name of ["site", "backups", "restored"]) mkdirSync(at(name));
  const env = {
    DATA_DIR: at("site"),
    BACKUP_FOLDER: at("backups"),
    BACKUP_RECIPIENT: await identityToRecipient(identity),
  };
  const { backups, ...config } = readConfig(env);
  if (!backups) throw new Error("BACKUP_FOLDER says where they are");
  const flags = ["-c", "shared_buffers=1GB", "-c", "max_wal_size=8GB"];
  const postgres = await startEmbeddedPostgres(at("site"), { archives: true, flags });
  const owner = new pg.Pool({ connectionString: postgres.ownerUrl, max: 2 });
  owner.on("error", () => {});
  const sizeOf = async () => {
    const { rows } = await owner.query(
      "select pg_database_size(current_database())::float8 as bytes",
    );
    return rows[0].bytes as number;
  };
  let bytes = 0;
  try {
    await migrateForBench(postgres.ownerUrl);
    const db = openDatabase(postgres.applicationUrl, openLog("silent"));
    const poolId = await fillSite(db, owner, contracts);
    const before = await sizeOf();
    let day = firstDay;
    const credit = async () => {
      await bringEvidence(db, poolId, day, contracts);
      await postMiningDay(db, day, afterDay(day));
      day = dayAfter(day, 1);
    };
    for (let nth = 0; nth < days; nth += 1) await credit();
    bytes = await sizeOf();
    const kept = (bytes - before) / days / contracts;
    console.log(`A database of ${megabytes(bytes)}: ${contracts} contracts, ${days} days.`);
    console.log(`What one contract's day keeps: ${Math.round(kept)} bytes.`);
    const making = { now: () => new Date(), asked: true };
    // Its WAL so far is in the first backup, and not in what is measured.
    await shipWal({ ...config, backups });
    const whole = await seconds(async () => {
      const made = await makeBackup(postgres.ownerUrl, { ...config, backups }, making);
      console.log(`The backup: ${megabytes(made?.bytes ?? 0)}.`);
    });
    report("Backup", bytes, whole);
    const walBefore = await position(owner);
    await credit();
    await owner.query("select pg_switch_wal()");
    const wal = (await position(owner)) - walBefore;
    await db.$client.end();
    const shipped = await seconds(() => shipWal({ ...config, backups }));
    console.log(
      `A day's WAL: ${megabytes(wal)}, ${Math.round(wal / contracts)} bytes for each contract.`,
    );
    report("Shipping it", wal, shipped);
    await owner.query("checkpoint");
    await compare({ whole, wal, identity });
  } finally {
    await owner.end();
    await postgres.stop();
  }

  async function compare({
    whole,
    wal,
    identity,
  }: {
    whole: number;
    wal: number;
    identity: string;
  }) {
    const bare = await seconds(async () => {
      const tar = spawn("tar", ["-c", "--exclude=pg_wal/*", "-C", at("site"), "postgres"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      await pipeline(tar.stdout, createZstdCompress(), createWriteStream(at("copied")));
    });
    report(reference, bytes, bare);
    hold({
      work: "a backup",
      beside: reference,
      figure: whole / bare,
      atMost: bars.backup,
    });
    const order = {
      from: at("backups"),
      identities: [identity],
      to: null,
      dataDir: at("restored"),
    };
    const signal = new AbortController().signal;
    const restored = await seconds(async () => {
      await restoreBackup({ ...order, signal, whichAreNamed: async () => [] });
    });
    report("Restore, with a day's WAL", bytes + wal, restored);
    hold({
      work: "a restore, with a day's WAL",
      beside: reference,
      figure: restored / bare,
      atMost: bars.restore,
    });
  }
}

async function position(owner: pg.Pool): Promise<number> {
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
