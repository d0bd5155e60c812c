import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Where backups lie, by names with slashes. */
export interface BackupFolder {
  /** Keeps it under the name, whole or not at all. @returns how many bytes there are */
  put(name: string, content: Readable): Promise<number>;
  read(name: string): Readable;
  /** What is kept below a name, in the order of the names. */
  list(below: string): Promise<string[]>;
  move(name: string, to: string): Promise<void>;
  /** Removes a name and what is below it. */
  remove(name: string): Promise<void>;
}

/** A folder that is on another machine's disk, mounted here, or is copied there. */
export function openBackupFolder(folder: string): BackupFolder {
  const at = (name: string) => path.join(folder, name);
  return {
    async put(name, content) {
      const aside = at(`half-written-${randomUUID()}`);
      await mkdir(path.dirname(at(name)), { recursive: true, mode: 0o700 });
      try {
        await pipeline(content, createWriteStream(aside, { mode: 0o600, flush: true }));
        const { size } = await stat(aside);
        await rename(aside, at(name));
        await syncFolder(path.dirname(at(name)));
        return size;
      } finally {
        await rm(aside, { force: true });
      }
    },
    read: (name) => createReadStream(at(name)),
    list: async (below) => {
      const entries = await readdir(at(below), { recursive: true, withFileTypes: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return [];
          throw error;
        },
      );
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .sort();
    },
    async move(name, to) {
      await mkdir(path.dirname(at(to)), { recursive: true, mode: 0o700 });
      await rename(at(name), at(to));
    },
    remove: (name) => rm(at(name), { recursive: true, force: true }),
  };
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
