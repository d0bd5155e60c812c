import { spawn } from "node:child_process";
import { createWriteStream, existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable, type Writable } from "node:stream";
import { json } from "node:stream/consumers";
import { ConfigError } from "../platform/config.ts";
import {
  endPostgresOf,
  giveToPostgres,
  postgresFolder,
  restoringFolder,
  walArchive,
} from "../platform/database/embedded-postgres.ts";
import { type BackupFolder, openBackupFolder, type Stage, through } from "./backup-folder.ts";
import {
  type KeptBackup,
  keyOf,
  listBackups,
  listDeleted,
  listFileCopies,
  listWal,
  ofBase,
  placeOf,
  segmentOf,
} from "./backup-names.ts";
import type { BackedUpKeys } from "./make-backup.ts";
import { recover } from "./recover.ts";
import { BackupSealed, opening } from "./seal-backup.ts";
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
  const backup = await chooseBackup(folder, from, to);
  const aside = await makeRoom(dataDir);
  try {
    const unpack = (name: string, ...into: (Stage | Writable)[]) =>
      through([folder.read(name), ...opening(identities), ...into], { signal });
    const write = async (name: string, file: string) => {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await unpack(name, createWriteStream(file, { mode: 0o600 }));
    };
    // First what is refused first: whoever lacks the keys' key has not waited.
    const { secrets, settings } = await readKeys((sink) =>
      unpack(ofBase(backup.moment).keys, sink),
    );
    for (const [name, content] of Object.entries(secrets)) {
      await mkdir(path.join(aside, "secrets"), { recursive: true, mode: 0o700 });
      const file = path.join(aside, "secrets", path.basename(name));
      await writeFile(file, content, { mode: 0o600 });
    }
    await writeFile(path.join(aside, "settings.env"), writeSettings(settings), { mode: 0o600 });
    await unpackBase(postgresFolder(aside), (sink) => unpack(ofBase(backup.moment).base, sink));
    const { wal, gap } = await chooseWal(folder, backup);
    await mkdir(walArchive(aside), { mode: 0o700 });
    for (const name of wal) await write(name, path.join(walArchive(aside), segmentOf(name)));
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
    const faults = [...(gap && to === null ? [gap] : []), ...broken];
    return { backup, upTo: recovered.upTo, settings, faults };
  } finally {
    await endPostgresOf(aside);
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

/** What an interrupted one left is removed, whatever of it had its place already. */
async function makeRoom(dataDir: string): Promise<string> {
  const aside = restoringFolder(dataDir);
  const places = parts.map((part) => path.join(dataDir, part));
  const isInterrupted = existsSync(aside) && !existsSync(postgresFolder(dataDir));
  const taken = places.find((place) => existsSync(place));
  if (taken && !isInterrupted) {
    throw new ConfigError(
      `DATA_DIR ${dataDir} has ${path.basename(taken)} already: restore into an empty folder.`,
    );
  }
  await endPostgresOf(aside);
  for (const place of [...places, aside]) await rm(place, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  return aside;
}

async function readKeys(unpack: (sink: Stage) => Promise<void>): Promise<BackedUpKeys> {
  let keys: BackedUpKeys | undefined;
  // biome-ignore lint/correctness/useYield: the end of a pipeline, which reads and gives nothing on.
  await unpack(async function* (source) {
    keys = (await json(Readable.from(source))) as BackedUpKeys;
  });
  if (!keys) throw new Error("the keys of the backup are empty");
  return keys;
}

/** The tar is the server's own; its owner there need not be anybody here. */
async function unpackBase(into: string, unpack: (sink: Writable) => Promise<void>): Promise<void> {
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
  // Of a tar that ended early its own words say why; one that was cut short says less than what cut it.
  const { code } = ((packed.status === "rejected" && packed.reason) ?? {}) as { code?: string };
  if (packed.status === "rejected" && code !== "EPIPE") throw packed.reason;
  if (unpacked.status === "rejected") throw unpacked.reason;
}

/** The WAL from the backup on, and what follows a segment that is missing: PostgreSQL would stop there without a word. */
async function chooseWal(folder: BackupFolder, { startWal, endWal }: KeptBackup) {
  const all = await listWal(folder);
  const isHistory = (name: string) => segmentOf(name).endsWith(".history");
  const wal = all.filter(
    (name) => isHistory(name) || placeOf(segmentOf(name)) >= placeOf(startWal),
  );
  const places = wal.filter((name) => !isHistory(name)).map((name) => numberOf(segmentOf(name)));
  const there = new Set(places);
  const last = places.reduce((most, place) => (place > most ? place : most), numberOf(endWal));
  for (let place = numberOf(endWal) + 1n; place <= last; place += 1n) {
    if (there.has(place)) continue;
    const gap = `the WAL after segment ${nameOf(place - 1n)} is missing, so what came later could not be used`;
    return { wal, gap };
  }
  return { wal, gap: null };
}

/** Segments of 16 MiB: 256 of them share the first eight digits of their place. */
function numberOf(segment: string): bigint {
  const place = placeOf(segment);
  return BigInt(`0x${place.slice(0, 8)}`) * 256n + BigInt(`0x${place.slice(8)}`);
}

function nameOf(place: bigint): string {
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, "0");
  return `${hex(place / 256n)}/${hex(place % 256n)}`;
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
      const { code } = error as NodeJS.ErrnoException;
      if (!(error instanceof BackupSealed || code?.startsWith("ZSTD"))) throw error;
      broken.push(`${name} cannot be opened`);
    }
  }
  return broken;
}

/** What tells the new timeline from the old: the backups need it, or they would go on with the old one. */
async function keepHistories(aside: string): Promise<void> {
  await rm(walArchive(aside), { recursive: true });
  await mkdir(walArchive(aside), { mode: 0o700 });
  const written = path.join(postgresFolder(aside), "pg_wal");
  for (const name of await readdir(written)) {
    if (name.endsWith(".history")) {
      await copyFile(path.join(written, name), path.join(walArchive(aside), name));
    }
  }
}
