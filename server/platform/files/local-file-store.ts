import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { type FileStore, StorageFull } from "./file-store.ts";
import { syncFolder } from "./sync-folder.ts";

/** Keeps files in a folder that only this user may read. */
export function openLocalFileStore(folder: string): FileStore {
  const halfWritten = path.join(folder, "half-written");
  mkdirSync(halfWritten, { recursive: true, mode: 0o700 });
  removeLeftovers(halfWritten);
  return {
    async put(key, bytes) {
      await put({ folder, halfWritten }, key, bytes);
      await noteForBackup(folder, key);
    },
    get: (key) => get(folder, key),
    delete: (key) => remove(folder, key),
  };
}

/** No file takes this long to write. */
const leftoverMs = 3_600_000;

/** What a process that was killed left half-written was never acknowledged. Another may be writing right now. */
function removeLeftovers(halfWritten: string): void {
  for (const name of readdirSync(halfWritten)) {
    const file = path.join(halfWritten, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (mtimeMs < Date.now() - leftoverMs) rmSync(file, { force: true });
  }
}

/** Files that no backup has yet, by a second name: where there are backups, there is this folder. */
export function filesToKeep(dataDir: string): string {
  return path.join(dataDir, "files-to-keep");
}

/** Where that fails, the next backup finds the file without it. */
async function noteForBackup(folder: string, key: string): Promise<void> {
  const second = path.join(filesToKeep(path.dirname(folder)), key.replaceAll("/", "_"));
  await link(pathOf(folder, key), second).catch(() => {});
}

/** Writes aside, syncs, then renames: a reader sees the whole file or none. */
async function put(
  store: { folder: string; halfWritten: string },
  key: string,
  bytes: Uint8Array,
): Promise<void> {
  const target = pathOf(store.folder, key);
  const aside = path.join(store.halfWritten, randomUUID());
  try {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await writeSynced(aside, bytes);
    await rename(aside, target);
    await syncFoldersAbove(target, path.dirname(store.folder));
  } catch (error) {
    await rm(aside, { force: true });
    await rm(target, { force: true }).catch(() => {});
    throw isFull(error) ? new StorageFull("no room left for files", { cause: error }) : error;
  }
}

async function writeSynced(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * A rename survives a power cut only once the folder that lists the name is on disk, and so on upwards. All of them each
 * time: one that is there already may have been made a moment ago by an upload that has not come to this line.
 */
async function syncFoldersAbove(file: string, last: string): Promise<void> {
  let folder = file;
  do {
    folder = path.dirname(folder);
    await syncFolder(folder);
  } while (folder !== last && folder !== path.dirname(folder));
}

async function get(folder: string, key: string): Promise<Uint8Array | null> {
  try {
    return await readFile(pathOf(folder, key));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

async function remove(folder: string, key: string): Promise<void> {
  await rm(pathOf(folder, key), { force: true });
}

function pathOf(folder: string, key: string): string {
  return path.join(folder, key);
}

function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
