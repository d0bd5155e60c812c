import path from "node:path";
import { ConfigError } from "../platform/config.ts";
import type { Asked } from "./ask-server.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { findNewestBackup, type KeptBackup, listHistories } from "./backup-names.ts";

/**
 * A bare mount point looks like a new folder; another database's folder would lose its files and its WAL to what this one does not
 * know; and one into which a restored copy has written since has another history than this database.
 *
 * @returns the newest backup; null where there is none yet
 * @throws ConfigError
 */
export async function requireOwn(
  folder: BackupFolder,
  { system, timeline, known }: Pick<Asked, "system" | "timeline" | "known">,
  { asked }: { asked: boolean },
): Promise<KeptBackup | null> {
  const newest = await findNewestBackup(folder);
  if (newest && newest.system !== system) {
    throw new ConfigError("BACKUP_FOLDER has backups of another database: use another folder.");
  }
  const later = (await listHistories(folder)).at(-1);
  if (later && path.basename(later).slice(0, 8) > timeline) {
    throw new ConfigError(
      "A restored copy of this database has written into BACKUP_FOLDER since. Stop one of the two, and give each its own folder.",
    );
  }
  if (newest || !known || asked) return newest;
  throw new ConfigError(
    "BACKUP_FOLDER has no backup, though some were made. Is it mounted? If it is a new folder: npm run backup.",
  );
}
