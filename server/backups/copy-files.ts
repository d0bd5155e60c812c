import { createReadStream, readdirSync } from "node:fs";
import path from "node:path";
import type { BackupFolder } from "./backup-folder.ts";
import { ofFile } from "./backup-names.ts";
import { sealBackup, sealedEnding } from "./seal-backup.ts";
import { isGone } from "./ship-wal.ts";

const dayMs = 86_400_000;

/**
 * Brings the copies of uploaded files up to what there is: a file is never changed, so each is copied once. One that the product has
 * deleted is set aside, and gone for good `keepDays` later, when no backup is left that knew it.
 *
 * @returns how many files there are
 */
export async function copyFiles(
  folder: BackupFolder,
  {
    from,
    recipients,
    keepDays,
    now,
  }: { from: string; recipients: string[]; keepDays: number; now: Date },
): Promise<number> {
  const there = new Set(listFiles(from));
  const copied = new Set((await folder.list("files")).map(keyOf));
  for (const key of there) {
    if (copied.has(key)) continue;
    const file = createReadStream(path.join(from, key));
    try {
      await folder.put(ofFile(key), await sealBackup(recipients, file));
    } catch (error) {
      // Deleted since it was listed.
      if (!isGone(error)) throw error;
      there.delete(key);
    }
  }
  // A store that holds nothing is not mounted, rather than emptied: each has the file it is known by.
  if (there.size > 0)
    await setAside(
      folder,
      [...copied].filter((key) => !there.has(key)),
      now,
    );
  await removeAside(folder, new Date(now.getTime() - keepDays * dayMs));
  return there.size;
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((key) => !key.startsWith("half-written"));
}

async function setAside(folder: BackupFolder, keys: string[], now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  for (const key of keys) await folder.move(ofFile(key), `deleted/${day}/${ofFile(key)}`);
}

async function removeAside(folder: BackupFolder, before: Date): Promise<void> {
  const days = new Set((await folder.list("deleted")).map((name) => name.split("/")[1] ?? ""));
  for (const day of days)
    if (day < before.toISOString().slice(0, 10)) await folder.remove(`deleted/${day}`);
}

/** The key of a file by the name of its copy. */
export function keyOf(name: string): string {
  return name.slice(name.indexOf("files/") + "files/".length, -sealedEnding.length);
}
