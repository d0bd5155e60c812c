import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import pg from "pg";
import { askServer } from "./ask-server.ts";
import type { BackedUp } from "./backed-up.ts";
import { type BackupFolder, openBackupFolder } from "./backup-folder.ts";
import {
  type AboutBackup,
  type KeptBackup,
  listBackups,
  listBases,
  ofBase,
} from "./backup-names.ts";
import { copyFiles } from "./copy-files.ts";
import { readBase } from "./read-base.ts";
import { requireOwn } from "./require-own.ts";
import { sealing } from "./seal-backup.ts";
import { removeOlderWal, shipWal } from "./ship-wal.ts";

/** Who holds it makes a backup: two at once would remove what the other needs. */
const backupLock = 8_405_912_004;
/** However old they are, so many stay: a machine that was off for a month has a backup when it is on again. */
const alwaysKept = 2;
const dayMs = 86_400_000;

interface Making {
  now(): Date;
  /** Whether a person says so: then also into a folder that has none of this database's backups, though it had some elsewhere. */
  asked: boolean;
}

/**
 * Makes a backup of everything while the product runs: the database as of one moment, keys and settings, and the files that are new
 * since the last one. Nothing older than `keepDays` stays, except the newest two backups.
 *
 * @returns null when one is being made already
 * @throws ConfigError where the folder is away, empty though it was not, or of another database
 */
export async function makeBackup(
  ownerUrl: string,
  config: BackedUp,
  making: Making,
): Promise<KeptBackup | null> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  // Idle while the copy goes on; its next statement fails then.
  owner.on("error", () => {});
  await owner.connect();
  try {
    const { rows } = await owner.query<{ is: boolean }>("select pg_try_advisory_lock($1) as is", [
      backupLock,
    ]);
    return rows[0]?.is ? await make(owner, { ownerUrl, config, making }) : null;
  } finally {
    await owner.end();
  }
}

async function make(
  owner: pg.Client,
  { ownerUrl, config, making }: { ownerUrl: string; config: BackedUp; making: Making },
): Promise<KeptBackup> {
  const { backups, dataDir } = config;
  const { recipients, keysRecipients, keepDays } = backups;
  const folder = openBackupFolder(backups.folder);
  const startedAt = making.now();
  const since = new Date(startedAt.getTime() - keepDays * dayMs);
  // Before the copy begins: it is in it.
  const heads = await askServer(owner);
  const newest = await requireOwn(folder, heads, making);
  const moment = startedAt
    .toISOString()
    .replace(/\.\d+Z/, "Z")
    .replaceAll(":", "-");
  const names = ofBase(moment);
  // Held until this session ends: a copy that takes long would otherwise find its own WAL recycled.
  await owner.query("select pg_create_physical_replication_slot('assay_backup', true, true)");
  let positions: string[] = [];
  const bytes = await folder.put(names.base, async () => {
    const base = await readBase(ownerUrl);
    positions = base.positions;
    return [base, ...sealing(recipients)];
  });
  const keys = JSON.stringify(readKeys(config));
  await folder.put(names.keys, () => [Readable.from([keys]), ...sealing(keysRecipients)]);
  await shipWal(config);
  const anew = newest !== null && newest.recipients.join() !== recipients.join();
  // After the database: a file is stored before its row is.
  const from = path.join(dataDir, "files");
  const files = config.s3
    ? null
    : await copyFiles(folder, { from, recipients, anew, since, now: startedAt });
  const about: AboutBackup = {
    format: 1,
    postgres: heads.postgres,
    system: heads.system,
    startedAt: startedAt.toISOString(),
    endedAt: making.now().toISOString(),
    ...(await nameSegments(owner, positions)),
    seal: heads.seal,
    link: heads.link,
    bytes,
    files,
    recipients,
  };
  const written = `${JSON.stringify(about, null, 2)}\n`;
  await folder.put(names.about, () => [Readable.from([written])]);
  await mark(owner, about.endedAt);
  await removeOlder(folder, since);
  return { ...about, moment };
}

/** The names of the first and the last segment. */
async function nameSegments(owner: pg.Client, positions: string[]) {
  const { rows } = await owner.query<{ start: string; end: string }>(
    "select pg_walfile_name($1::pg_lsn) as start, pg_walfile_name($2::pg_lsn) as end",
    [positions[0], positions.at(-1)],
  );
  return { startWal: rows[0]?.start ?? "", endWal: rows[0]?.end ?? "" };
}

/** For Health and the alarms, in the database that was copied. */
async function mark(owner: pg.Client, endedAt: string): Promise<void> {
  await owner.query(
    `insert into backup_marks (of, at) values ('backup', $1), ('begun', $1)
       on conflict (of) do update set at = excluded.at where backup_marks.of = 'backup'`,
    [endedAt],
  );
}

/** All secrets of the data directory, and every setting. */
function readKeys({ dataDir, backups }: BackedUp): BackedUpKeys {
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

async function removeOlder(folder: BackupFolder, since: Date): Promise<void> {
  const backups = await listBackups(folder);
  const kept = backups.filter(
    ({ endedAt }, place) => new Date(endedAt) >= since || place >= backups.length - alwaysKept,
  );
  const [oldest] = kept;
  if (!oldest) return;
  // Also those that a process that died never finished.
  for (const moment of await listBases(folder)) {
    if (moment < oldest.moment) await folder.remove(ofBase(moment).all);
  }
  await removeOlderWal(
    folder,
    kept.map(({ startWal }) => startWal),
  );
  await folder.tidy(new Date(Date.now() - dayMs));
}
