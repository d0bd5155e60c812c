import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { ConfigError } from "../platform/config.ts";
import { walArchive } from "../platform/database/embedded-postgres.ts";
import { filesToKeep } from "../platform/files/local-file-store.ts";
import type { BackedUp } from "./backed-up.ts";
import { type BackupFolder, openBackupFolder } from "./backup-folder.ts";
import { archived, listWal, ofFile, ofWal, segmentOf } from "./backup-names.ts";
import { sealedEnding, sealing } from "./seal-backup.ts";
import { segmentNumberOf } from "./timelines.ts";

/**
 * Seals what PostgreSQL has archived since and puts it beside the backups, the oldest first. What is kept is removed here; until then
 * PostgreSQL goes on, and so a folder that is away costs disk and loses nothing. Twice at once does no harm.
 */
export async function shipWal(config: BackedUp): Promise<void> {
  const from = walArchive(config.dataDir);
  if (!existsSync(from)) return;
  const names = readdirSync(from).filter((name) => archived.test(name));
  await ship(from, names, { config, nameOf: ofWal });
}

/** The same with files that were stored since the last time. Those that it does not find the next backup does. */
export async function shipFiles(config: BackedUp): Promise<void> {
  const from = filesToKeep(config.dataDir);
  // From now on they are put there.
  mkdirSync(from, { recursive: true, mode: 0o700 });
  const nameOf = (name: string) => ofFile(name.replaceAll("_", "/"));
  await ship(from, readdirSync(from), { config, nameOf });
}

async function ship(
  from: string,
  names: string[],
  { config, nameOf }: { config: BackedUp; nameOf(name: string): string },
): Promise<void> {
  const folder = openBackupFolder(config.backups.folder);
  // Histories sort before the segments of their timelines.
  for (const name of names.sort()) {
    const file = path.join(from, name);
    try {
      await shipOne(folder, { file, to: nameOf(name), recipients: config.backups.recipients });
    } catch (error) {
      // Another process has kept it meanwhile.
      if (!isGone(error, file)) throw error;
    }
    await rm(file, { force: true });
  }
}

/** What is kept is never replaced: it was put there by who died before it was removed here. */
async function shipOne(
  folder: BackupFolder,
  { file, to, recipients }: { file: string; to: string; recipients: string[] },
): Promise<void> {
  const isSealed = to.endsWith(sealedEnding);
  if (!folder.has(to)) {
    await folder.put(to, () => [createReadStream(file), ...(isSealed ? sealing(recipients) : [])]);
  } else if (!isSealed && (await text(folder.read(to))) !== readFileSync(file, "utf8")) {
    throw new ConfigError(
      "Another copy of this database, restored from the same backup, writes into BACKUP_FOLDER. Stop one of the two, and give each its own folder.",
    );
  }
}

/** Whether it is this file that was removed before it was read. */
export function isGone(error: unknown, file: string): boolean {
  const { code, path: missing } = error as NodeJS.ErrnoException;
  return code === "ENOENT" && missing === file;
}

/** Removes the WAL that no backup needs which is still there. */
export async function removeOlderWal(folder: BackupFolder, starts: string[]): Promise<void> {
  // Of two timelines the later one may begin at a lower place than the newest backup of the other.
  const [first = 0n, ...others] = starts.map(segmentNumberOf);
  const lowest = others.reduce((least, each) => (each < least ? each : least), first);
  for (const name of await listWal(folder)) {
    if (segmentNumberOf(segmentOf(name)) < lowest) await folder.remove(name);
  }
}
