import { spawn } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { ConfigError } from "../platform/config.ts";
import { giveToPostgres, startEmbeddedPostgres } from "../platform/database/embedded-postgres.ts";
import { type BackupFolder, openBackupFolder } from "./backup-folder.ts";
import { type KeptBackup, listBackups, ofBase } from "./backup-names.ts";
import { keyOf } from "./copy-files.ts";
import type { BackedUpKeys } from "./make-backup.ts";
import { openBackup, sealedEnding } from "./seal-backup.ts";

export interface Restored {
  backup: KeptBackup;
  /** When the last transaction that is in it was; null: none came after the backup. */
  upTo: Date | null;
  /** What the environment said when it was made; it is written to settings.env beside the data. */
  settings: Record<string, string>;
}

interface Order {
  from: string;
  /** A folder without a database. */
  dataDir: string;
  /** Private keys in age's form. */
  identities: string[];
  /** The moment to go back to; null: the newest there is. */
  to: Date | null;
}

/** The names of what makes up a data directory. */
const parts = ["postgres", "secrets", "files", "settings.env"];

/**
 * Puts a backup into an empty data directory, and what came after it up to a moment. All of it is made ready aside and then given its
 * place, the database last: who is killed meanwhile leaves nothing that would start.
 *
 * @throws ConfigError in words for the operator; BackupSealed
 */
export async function restoreBackup({ from, dataDir, identities, to }: Order): Promise<Restored> {
  const folder = openBackupFolder(from);
  const backup = await chooseBackup(folder, from, to);
  for (const part of parts) {
    if (existsSync(path.join(dataDir, part)))
      throw new ConfigError(
        `DATA_DIR ${dataDir} has ${part} already: restore into an empty folder.`,
      );
  }
  const aside = path.join(dataDir, "restoring");
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  try {
    const open = async (name: string) => openBackup(identities, folder.read(name));
    // First what is refused first: whoever lacks the keys' key has not waited.
    const keys: BackedUpKeys = JSON.parse(await text(await open(ofBase(backup.moment).keys)));
    await writeKeys(aside, keys);
    await unpackBase(path.join(aside, "postgres"), await open(ofBase(backup.moment).base));
    await unpackAll(aside, await listFileCopies(folder), open);
    await unpackAll(aside, await folder.list("wal"), open);
    await giveToPostgres(aside, [path.join(aside, "postgres"), path.join(aside, "wal")]);
    const upTo = await recover(aside, to);
    for (const part of parts.toReversed())
      await rename(path.join(aside, part), path.join(dataDir, part));
    return { backup, upTo, settings: keys.settings };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function chooseBackup(folder: BackupFolder, from: string, to: Date | null) {
  const backups = await listBackups(folder);
  const [first] = backups;
  if (!first) throw new ConfigError(`There is no backup in ${from}.`);
  const chosen = backups.findLast(({ endedAt }) => to === null || new Date(endedAt) <= to);
  if (chosen) return chosen;
  throw new ConfigError(`The oldest backup is of ${first.endedAt}: choose a later moment.`);
}

async function writeKeys(aside: string, { secrets, settings }: BackedUpKeys): Promise<void> {
  await mkdir(path.join(aside, "secrets"), { mode: 0o700 });
  for (const [name, content] of Object.entries(secrets)) {
    await writeFile(path.join(aside, "secrets", path.basename(name)), content, { mode: 0o600 });
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(path.join(aside, "settings.env"), lines.join(""), { mode: 0o600 });
}

/** The tar is the server's own; its owner there need not be anybody here. */
async function unpackBase(into: string, tar: NodeJS.ReadableStream): Promise<void> {
  await mkdir(into, { mode: 0o700 });
  const child = spawn("tar", ["-x", "--no-same-owner", "-C", into], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`tar ended with ${code}`)),
    );
  });
  await Promise.all([pipeline(tar, child.stdin), ended]);
}

/** Files that are there, and those that the product had deleted when the newest backup was made: an older moment knows them. */
async function listFileCopies(folder: BackupFolder): Promise<string[]> {
  return [...(await folder.list("files")), ...(await folder.list("deleted"))];
}

async function unpackAll(
  aside: string,
  names: string[],
  open: (name: string) => Promise<NodeJS.ReadableStream>,
): Promise<void> {
  await mkdir(path.join(aside, "files"), { recursive: true, mode: 0o700 });
  await mkdir(path.join(aside, "wal"), { recursive: true, mode: 0o700 });
  for (const name of names) {
    const isWal = name.startsWith("wal/");
    const own = isWal ? name.slice(0, -sealedEnding.length) : `files/${keyOf(name)}`;
    const file = path.join(aside, own);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(await open(name), createWriteStream(file, { mode: 0o600 }));
  }
}

/** PostgreSQL goes through the WAL to the moment, and ends. */
async function recover(aside: string, to: Date | null): Promise<Date | null> {
  await writeFile(path.join(aside, "postgres", "recovery.signal"), "");
  const said: string[] = [];
  // PostgreSQL knows no names of zones yet when it reads this.
  const moment = to?.toISOString().replace("Z", "+00");
  const target = moment ? ["-c", `recovery_target_time=${moment}`] : [];
  const postgres = await startEmbeddedPostgres(aside, {
    flags: [
      ...["-c", `restore_command=cp '${path.join(aside, "wal")}/%f' '%p'`],
      ...["-c", "recovery_target_action=promote", ...target],
    ],
    onLine: (line) => said.push(line),
  }).catch((error: unknown) => {
    throw failed(said, error);
  });
  try {
    return await waitUntilRecovered(postgres.ownerUrl);
  } catch (error) {
    throw failed(said, error);
  } finally {
    await postgres.stop();
  }
}

async function waitUntilRecovered(url: string): Promise<Date | null> {
  const client = new pg.Client({ connectionString: url });
  let broken: Error | null = null;
  client.on("error", (error) => {
    broken = error;
  });
  await client.connect();
  try {
    for (;;) {
      if (broken) throw broken;
      const { rows } = await client.query<{ is: boolean; at: Date | null }>(
        "select pg_is_in_recovery() as is, pg_last_xact_replay_timestamp() as at",
      );
      const [state] = rows;
      if (state && !state.is) return state.at;
      await wait(200);
    }
  } finally {
    await client.end().catch(() => {});
  }
}

/** What PostgreSQL said of it, in words. */
function failed(said: string[], cause: unknown): Error {
  const isShort = said.some((line) =>
    line.includes("before configured recovery target was reached"),
  );
  const fatal = said.findLast((line) => line.includes("FATAL:"));
  if (!isShort) return fatal ? new Error(fatal, { cause }) : (cause as Error);
  const last = said.flatMap(
    (line) => /last completed transaction was at log time (\S+ \S+)/.exec(line)?.[1] ?? [],
  );
  return new ConfigError(
    `What is kept ends before that moment${last[0] ? `, with a transaction of ${last[0]}` : ""}. Without --to the newest is restored.`,
  );
}
