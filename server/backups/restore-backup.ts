import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Writable } from "node:stream";
import { json } from "node:stream/consumers";
import { ConfigError } from "../platform/config.ts";
import {
  endPostgresOf,
  giveToPostgres,
  postgresFolder,
  restoringFolder,
  walArchive,
} from "../platform/database/embedded-postgres.ts";
import {
  type BackupFolder,
  joined,
  openBackupFolder,
  type Stage,
  through,
} from "./backup-folder.ts";
import {
  type KeptBackup,
  keyOf,
  listBackups,
  listDeleted,
  listFileCopies,
  listHistories,
  listWal,
  ofBase,
  segmentOf,
} from "./backup-names.ts";
import type { BackedUpKeys } from "./make-backup.ts";
import { recover } from "./recover.ts";
import { BackupSealed, opening } from "./seal-backup.ts";
import {
  isBackupInHistory,
  isSegmentInHistory,
  readTimelineHistory,
  segmentNumberOf,
  segmentSuffixOf,
  type TimelineHistory,
} from "./timelines.ts";
import { writeSettings } from "./write-settings.ts";

export interface Restored {
  backup: KeptBackup;
  /** When the last transaction that is in it was; null: none came after the backup. */
  upTo: Date | null;
  /** What the environment said when it was made; it is written to settings.env beside the data. */
  settings: Record<string, string>;
  /** What is amiss: WAL after which nothing could be used, and files that could not be opened. */
  faults: string[];
}

export interface RestoreOrder {
  from: string;
  /** Private keys in age's form. */
  identities: string[];
  /** The moment to go back to; null: the newest there is. */
  to: Date | null;
}

interface Restoring extends RestoreOrder {
  /** A folder without a database. */
  dataDir: string;
  /** Which of these files a row of the restored database names. Those that the product had deleted stay away otherwise. */
  whichAreNamed(ownerUrl: string, keys: string[]): Promise<string[]>;
  /** Ends it: nothing is left then. */
  signal: AbortSignal;
  /** Told once the backup is chosen and the identities open its keys. */
  onOpened?(backup: KeptBackup): void;
}

/** The names of what makes up a data directory. */
const parts = ["postgres", "wal", "secrets", "files", "settings.env"];

/**
 * Puts a backup into an empty data directory, and what came after it up to a moment. All of it is made ready aside and then given its
 * place, the database last: until then nothing there starts.
 *
 * @throws ConfigError in words for the operator; BackupSealed
 */
export async function restoreBackup(order: Restoring): Promise<Restored> {
  const { from, dataDir, identities, to, signal } = order;
  const folder = openBackupFolder(from);
  const { backup, history, next } = await chooseBackup(folder, order);
  const aside = await makeRoom(dataDir);
  try {
    const unpack = (name: string, ...into: (Stage | Writable)[]) =>
      through([folder.read(name), ...opening(identities), ...into], { signal });
    const write = async (name: string, file: string) => {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await unpack(name, createWriteStream(file, { mode: 0o600 })).catch(async (error) => {
        await rm(file, { force: true });
        throw error;
      });
    };
    // First what is refused first: whoever lacks the keys' key has not waited.
    const keys = joined([folder.read(ofBase(backup.moment).keys), ...opening(identities)]);
    const { secrets, settings } = (await json(keys)) as BackedUpKeys;
    order.onOpened?.(backup);
    for (const [name, content] of Object.entries(secrets)) {
      await mkdir(path.join(aside, "secrets"), { recursive: true, mode: 0o700 });
      const file = path.join(aside, "secrets", path.basename(name));
      await writeFile(file, content, { mode: 0o600 });
    }
    await writeFile(path.join(aside, "settings.env"), writeSettings(settings), { mode: 0o600 });
    await unpackTar(postgresFolder(aside), (sink) => unpack(ofBase(backup.moment).base, sink));
    const { wal, gap } = await chooseWal(folder, { backup, history, next });
    await mkdir(walArchive(aside), { mode: 0o700 });
    for (const name of await listHistories(folder)) {
      const file = path.join(walArchive(aside), path.basename(name));
      await through([folder.read(name), createWriteStream(file, { mode: 0o600 })], { signal });
    }
    const unread = await writeWhile(wal, (name) =>
      write(name, path.join(walArchive(aside), segmentOf(name))),
    );
    await giveToPostgres(aside, [postgresFolder(aside), walArchive(aside)]);
    const deleted = await listDeleted(folder);
    const recovered = await recover(aside, {
      to,
      signal,
      ask: (ownerUrl) => order.whichAreNamed(ownerUrl, deleted.map(keyOf)),
    });
    const named = new Set(recovered.answer);
    const files = [
      ...(await listFileCopies(folder)),
      ...deleted.filter((name) => named.has(keyOf(name))),
    ];
    await mkdir(path.join(aside, "files"), { mode: 0o700 });
    const broken = await writeEach(files, (name) =>
      write(name, path.join(aside, "files", keyOf(name))),
    );
    await keepHistories(aside);
    for (const part of parts.toReversed()) {
      await rename(path.join(aside, part), path.join(dataDir, part));
    }
    const stop = unread ?? gap;
    const faults = [...(stop && to === null ? [stop] : []), ...broken];
    return { backup, upTo: recovered.upTo, settings, faults };
  } finally {
    await endPostgresOf(aside);
    await rm(aside, { recursive: true, force: true });
  }
}

/** The newest before the moment, of those that the line in force did not undo, and one that came well after the moment. */
async function chooseBackup(folder: BackupFolder, { from, to }: RestoreOrder) {
  const all = await listBackups(folder);
  if (all.length === 0) throw new ConfigError(`There is no backup in ${from}.`);
  const history = await readTimelineHistory(folder, all);
  const backups = all.filter((each) => isBackupInHistory(history, each));
  const backup = backups.findLast(({ endedAt }) => to === null || new Date(endedAt) <= to);
  // PostgreSQL stops at the first transaction after the moment, which may come after the next backup, but not after that one's next.
  const later = backups.filter(({ startedAt }) => to !== null && new Date(startedAt) > to);
  if (backup) return { backup, history, next: later[1] ?? null };
  const oldest = backups[0]?.endedAt ?? "none";
  throw new ConfigError(`The oldest backup is of ${oldest}: choose a later moment.`);
}

/** What an interrupted one had made ready is removed; what has its place already may be somebody's, and is not. */
async function makeRoom(dataDir: string): Promise<string> {
  const taken = parts.find((part) => existsSync(path.join(dataDir, part)));
  if (taken) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} has ${taken} already: restore into an empty folder.`,
    );
  }
  const aside = restoringFolder(dataDir);
  await endPostgresOf(aside);
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  return aside;
}

/** The tar is the server's own; its owner there need not be anybody here. */
export async function unpackTar(
  into: string,
  unpack: (sink: Writable) => Promise<void>,
): Promise<void> {
  await mkdir(into, { mode: 0o700 });
  const tar = spawn("tar", ["-x", "--no-same-owner", "-C", into], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let said = "";
  tar.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  const ended = new Promise<void>((resolve, reject) => {
    tar.once("error", reject);
    tar.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`tar ended with ${code}: ${said.trim()}`)),
    );
  });
  const [packed, unpacked] = await Promise.allSettled([unpack(tar.stdin), ended]);
  // Tar may end at the end of the archive, before that of the stream: its own exit says whether it had all. What cut the stream says more
  // than tar does of it.
  const { code } = ((packed.status === "rejected" && packed.reason) ?? {}) as { code?: string };
  if (packed.status === "rejected" && !["EPIPE", "ERR_STREAM_PREMATURE_CLOSE"].includes(code ?? ""))
    throw packed.reason;
  if (unpacked.status === "rejected") throw unpacked.reason;
}

/**
 * The WAL of the line, from the backup on as far as it can be needed; and what is missing of it, since PostgreSQL would stop there without
 * a word.
 */
async function chooseWal(
  folder: BackupFolder,
  {
    backup,
    history,
    next,
  }: { backup: KeptBackup; history: TimelineHistory; next: KeptBackup | null },
) {
  const all = await listWal(folder);
  const start = segmentNumberOf(backup.startWal);
  const end = next && segmentNumberOf(next.endWal);
  const segments = all.filter((name) => {
    const number = segmentNumberOf(segmentOf(name));
    return (
      number >= start &&
      (end === null || number <= end) &&
      isSegmentInHistory(history, segmentOf(name))
    );
  });
  const numbers = new Set(segments.map((name) => segmentNumberOf(segmentOf(name))));
  const wal = segments.sort(byPlace);
  let last = segmentNumberOf(backup.endWal);
  for (const number of numbers) if (number > last) last = number;
  for (let number = segmentNumberOf(backup.endWal) + 1n; number <= last; number += 1n) {
    if (numbers.has(number)) continue;
    const gap = `the WAL ${segmentSuffixOf(number)} is missing, so what came later could not be used`;
    return { wal, gap };
  }
  return { wal, gap: null };
}

function byPlace(a: string, b: string): number {
  const [one, other] = [segmentNumberOf(segmentOf(a)), segmentNumberOf(segmentOf(b))];
  return one === other ? a.localeCompare(b) : one < other ? -1 : 1;
}

/** Up to the first that is broken: what follows it is of no use. */
async function writeWhile(
  names: string[],
  write: (name: string) => Promise<void>,
): Promise<string | null> {
  for (const name of names) {
    try {
      await write(name);
    } catch (error) {
      if (!isBroken(error)) throw error;
      return `${name} cannot be opened, so what came later could not be used`;
    }
  }
  return null;
}

/** One that is broken costs no other; which they are is said. */
async function writeEach(
  names: string[],
  write: (name: string) => Promise<void>,
): Promise<string[]> {
  const broken: string[] = [];
  for (const name of names) {
    try {
      await write(name);
    } catch (error) {
      if (!isBroken(error)) throw error;
      broken.push(`${name} cannot be opened`);
    }
  }
  return broken;
}

/** Opened by another key, or by none: whole files are missing, or bits of them. */
function isBroken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof BackupSealed || code?.startsWith("ZSTD") === true;
}

/** What tells the new timeline from the old: the backups need it, or they would go on with the old one. */
async function keepHistories(aside: string): Promise<void> {
  await rm(walArchive(aside), { recursive: true });
  await mkdir(walArchive(aside), { mode: 0o700 });
  const written = path.join(postgresFolder(aside), "pg_wal");
  const names = await readdir(written);
  const newest = names
    .filter((name) => name.endsWith(".history"))
    .sort()
    .at(-1);
  for (const name of names) {
    if (!name.endsWith(".history")) continue;
    const said = await readFile(path.join(written, name), "utf8");
    // Two restores of one backup are the same to PostgreSQL, and two histories.
    const own = name === newest ? `# restored: ${randomUUID()}\n` : "";
    await writeFile(path.join(walArchive(aside), name), said + own, { mode: 0o600 });
  }
}
