import { createReadStream, existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../platform/config.ts";
import { walArchive } from "../platform/database/embedded-postgres.ts";
import { filesToKeep } from "../platform/files/local-file-store.ts";
import { type BackupFolder, openBackupFolder } from "./backup-folder.ts";
import { ofFile, ofWal } from "./backup-names.ts";
import { sealBackup } from "./seal-backup.ts";

/** What PostgreSQL archives: segments, the histories of timelines, and notes of where a backup began. */
const archived = /^[0-9A-F]{8}(\.history|[0-9A-F]{16}(\.[0-9A-F]{8}\.backup)?)$/;

/**
 * Seals what PostgreSQL has archived since and puts it beside the backups, the oldest first. What is kept is removed here; until then
 * PostgreSQL goes on, and so a folder that is away costs disk and loses nothing. Twice at once does no harm.
 *
 * @returns how many were kept
 */
export async function shipWal({ dataDir, backups }: Pick<Config, "dataDir" | "backups">) {
  const from = walArchive(dataDir);
  if (!backups || !existsSync(from)) return 0;
  const names = readdirSync(from).filter((name) => archived.test(name));
  return ship(from, names, { backups, nameOf: ofWal });
}

/** The same with files that were stored since the last time. Those that it does not find the next backup does. */
export async function shipFiles({ dataDir, backups }: Pick<Config, "dataDir" | "backups">) {
  if (!backups) return 0;
  const from = filesToKeep(dataDir);
  // From now on they are put there.
  mkdirSync(from, { recursive: true, mode: 0o700 });
  const nameOf = (name: string) => ofFile(name.replaceAll("_", "/"));
  return ship(from, readdirSync(from), { backups, nameOf });
}

async function ship(
  from: string,
  names: string[],
  { backups, nameOf }: { backups: NonNullable<Config["backups"]>; nameOf(name: string): string },
): Promise<number> {
  const folder = openBackupFolder(backups.folder);
  for (const name of names.sort()) {
    const file = path.join(from, name);
    try {
      await folder.put(nameOf(name), await sealBackup(backups.recipients, createReadStream(file)));
      await rm(file, { force: true });
    } catch (error) {
      // Another process has kept it meanwhile.
      if (!isGone(error)) throw error;
    }
  }
  return names.length;
}

export function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Removes the WAL that no backup needs which is still there. */
export async function removeOlderWal(folder: BackupFolder, oldest: string): Promise<void> {
  // The first eight digits are the timeline: a restored database goes on with the next one, at the same place.
  const place = (segment: string) => segment.slice(8, 24);
  for (const name of await folder.list("wal")) {
    const segment = path.basename(name).split(".")[0] ?? "";
    if (segment.length === 24 && place(segment) < place(oldest)) await folder.remove(name);
  }
}
