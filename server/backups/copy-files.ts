import { createReadStream } from "node:fs";
import path from "node:path";
import { type BackupFolder, listFiles } from "./backup-folder.ts";
import { keyOf, listDeleted, listFileCopies, ofFile } from "./backup-names.ts";
import { sealing } from "./seal-backup.ts";
import { isGone } from "./ship-wal.ts";

interface Copying {
  from: string;
  recipients: string[];
  /** Whether those that are there are sealed for others. */
  anew: boolean;
  /** Since when a backup may be that is still kept. */
  since: Date;
  now: Date;
}

/**
 * Brings the copies of uploaded files up to what there is: a file is never changed, so each is copied once for its recipients. One that
 * the product has deleted is set aside, and gone for good when no backup is left that knew it.
 *
 * @returns how many files there are
 */
export async function copyFiles(
  folder: BackupFolder,
  { from, recipients, anew, since, now }: Copying,
): Promise<number> {
  const all = await listFiles(from);
  const there = new Set(all.filter((key) => !key.startsWith("half-written")));
  const copied = new Set((await listFileCopies(folder)).map(keyOf));
  const missing = anew ? [...there] : [...there].filter((key) => !copied.has(key));
  for (const key of missing) await copyFile(folder, { key, from, recipients });
  // A store that holds nothing is not mounted, rather than emptied: each has the file it is known by.
  const deleted = there.size > 0 ? [...copied].filter((key) => !there.has(key)) : [];
  const today = now.toISOString().slice(0, 10);
  for (const key of deleted) await folder.move(ofFile(key), `deleted/${today}/${ofFile(key)}`);
  await removeDeleted(folder, since.toISOString().slice(0, 10));
  return there.size;
}

async function copyFile(
  folder: BackupFolder,
  { key, from, recipients }: Pick<Copying, "from" | "recipients"> & { key: string },
): Promise<void> {
  const file = path.join(from, key);
  try {
    await folder.put(ofFile(key), () => [createReadStream(file), ...sealing(recipients)]);
  } catch (error) {
    // Deleted since it was listed.
    if (!isGone(error, file)) throw error;
  }
}

async function removeDeleted(folder: BackupFolder, before: string): Promise<void> {
  for (const name of await listDeleted(folder)) {
    const [, day = ""] = name.split("/");
    if (day < before) await folder.remove(name);
  }
}
