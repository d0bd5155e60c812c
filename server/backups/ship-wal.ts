import { createReadStream, existsSync, mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { walArchive } from "../platform/database/embedded-postgres.ts";
import { filesToKeep } from "../platform/files/local-file-store.ts";
import type { BackedUp } from "./backed-up.ts";
import { type BackupFolder, openBackupFolder } from "./backup-folder.ts";
import { archived, listWal, ofFile, ofWal, segmentOf } from "./backup-names.ts";
import { sealing } from "./seal-backup.ts";
import { numberOf } from "./timelines.ts";

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
  for (const name of names.sort()) {
    const file = path.join(from, name);
    try {
      // One that was kept by who died before removing it here; what is kept is never replaced.
      if (!folder.has(nameOf(name)))
        await folder.put(nameOf(name), () => [
          createReadStream(file),
          ...sealing(config.backups.recipients),
        ]);
    } catch (error) {
      // Another process has kept it meanwhile.
      if (!isGone(error, file)) throw error;
    }
    await rm(file, { force: true });
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
  const [first = 0n, ...others] = starts.map(numberOf);
  const lowest = others.reduce((least, each) => (each < least ? each : least), first);
  for (const name of await listWal(folder)) {
    const segment = segmentOf(name);
    if (!segment.endsWith(".history") && numberOf(segment) < lowest) await folder.remove(name);
  }
}
