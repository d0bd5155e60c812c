import { ConfigError } from "../platform/config.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { type KeptBackup, listBackups } from "./backup-names.ts";

/**
 * A bare mount point looks like a new folder, and another database's folder would lose its files and its WAL to what this one does not
 * know.
 *
 * @returns the newest backup; undefined where there is none yet
 * @throws ConfigError
 */
export async function requireOwn(
  folder: BackupFolder,
  { system, known, asked }: { system: string; known: boolean; asked: boolean },
): Promise<KeptBackup | undefined> {
  const newest = (await listBackups(folder)).at(-1);
  if (newest && newest.system !== system) {
    throw new ConfigError("BACKUP_FOLDER has backups of another database: use another folder.");
  }
  if (newest || !known || asked) return newest;
  throw new ConfigError(
    "BACKUP_FOLDER has no backup, though some were made. Is it mounted? If it is a new folder: npm run backup.",
  );
}
