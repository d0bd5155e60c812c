import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { type Config, ConfigError } from "../platform/config.ts";
import { type BackupFolder, openBackupFolder } from "./backup-folder.ts";
import { type AboutBackup, type KeptBackup, listBackups, ofBase } from "./backup-names.ts";
import { copyFiles } from "./copy-files.ts";
import { readBase } from "./read-base.ts";
import { sealBackup } from "./seal-backup.ts";
import { removeOlderWal, shipWal } from "./ship-wal.ts";

/** Who holds it makes a backup: two at once would remove what the other needs. */
const backupLock = 8_405_912_004;
/** However old they are, so many stay: a machine that was off for a month has a backup when it is on again. */
const alwaysKept = 2;
const dayMs = 86_400_000;

type Settings = Pick<Config, "dataDir" | "s3"> & { backups: NonNullable<Config["backups"]> };

/**
 * Makes a backup of everything while the product runs: the database as of one moment, keys and settings, and the files that are new
 * since the last one. Nothing older than `keepDays` stays, except the newest two backups.
 *
 * @throws ConfigError when one is being made already
 */
export async function makeBackup(
  ownerUrl: string,
  config: Settings,
  now: () => Date,
): Promise<KeptBackup> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ is: boolean }>("select pg_try_advisory_lock($1) as is", [
      backupLock,
    ]);
    if (!rows[0]?.is) throw new ConfigError("A backup is being made already.");
    return await make(owner, { ownerUrl, config, now });
  } finally {
    await owner.end();
  }
}

async function make(
  owner: pg.Client,
  { ownerUrl, config, now }: { ownerUrl: string; config: Settings; now: () => Date },
): Promise<KeptBackup> {
  const { backups, dataDir } = config;
  const folder = openBackupFolder(backups.folder);
  const startedAt = now();
  const moment = startedAt
    .toISOString()
    .replace(/\.\d+Z/, "Z")
    .replaceAll(":", "-");
  const names = ofBase(moment);
  // Before the copy begins: it is in it.
  const before = await readHeads(owner);
  const { tar, end } = await readBase(ownerUrl);
  const bytes = await folder
    .put(names.base, await sealBackup(backups.recipients, tar))
    .finally(end);
  const keys = Readable.from([Buffer.from(JSON.stringify(readKeys(config)))]);
  await folder.put(names.keys, await sealBackup(backups.keysRecipients, keys));
  await shipWal(config);
  // After the database: a file is stored before its row is.
  const { recipients, keepDays } = backups;
  const from = path.join(dataDir, "files");
  const files = config.s3
    ? null
    : await copyFiles(folder, { from, recipients, keepDays, now: now() });
  const about: AboutBackup = {
    format: 1,
    ...before,
    startedAt: startedAt.toISOString(),
    endedAt: now().toISOString(),
    bytes,
    files,
  };
  await folder.put(
    names.about,
    Readable.from([Buffer.from(`${JSON.stringify(about, null, 2)}\n`)]),
  );
  await removeOlder(folder, new Date(now().getTime() - keepDays * dayMs));
  return { ...about, moment };
}

/** What the copy will hold, and the segment of WAL that is written to when it begins. */
async function readHeads(owner: pg.Client) {
  const { rows } = await owner.query<Pick<AboutBackup, "postgres" | "startWal" | "seal" | "link">>(`
    select current_setting('server_version_num')::int / 10000 as postgres, pg_walfile_name(pg_current_wal_lsn()) as "startWal",
           (select number || ':' || encode(hash, 'hex') from ledger_seals order by number desc limit 1) as seal,
           (select link || ':' || encode(hash, 'hex') from audit_chain order by link desc limit 1) as link`);
  const [heads] = rows;
  if (!heads) throw new Error("no answer");
  return heads;
}

/** All secrets of the data directory, and every setting. */
function readKeys({ dataDir, backups }: Settings): BackedUpKeys {
  const folder = path.join(dataDir, "secrets");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const secrets = Object.fromEntries(
    names.map((name) => [name, readFileSync(path.join(folder, name), "utf8")]),
  );
  return { secrets, settings: backups.settings };
}

export interface BackedUpKeys {
  /** By file name. */
  secrets: Record<string, string>;
  settings: Record<string, string>;
}

async function removeOlder(folder: BackupFolder, before: Date): Promise<void> {
  const backups = await listBackups(folder);
  const kept = backups.filter(
    ({ endedAt }, place) => new Date(endedAt) >= before || place >= backups.length - alwaysKept,
  );
  for (const each of backups)
    if (!kept.includes(each)) await folder.remove(ofBase(each.moment).all);
  const whole = new Set(backups.map(({ moment }) => moment));
  // One that was never finished, by a process that died; another process's is younger.
  for (const name of await folder.list("bases")) {
    const moment = name.split("/")[1] ?? "";
    if (!whole.has(moment) && moment < (kept[0]?.moment ?? ""))
      await folder.remove(ofBase(moment).all);
  }
  if (kept[0]) await removeOlderWal(folder, kept[0].startWal);
}
