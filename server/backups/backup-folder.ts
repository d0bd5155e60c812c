import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { compose, type Duplex, type Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ConfigError } from "../platform/config.ts";
import { syncFolder } from "../platform/files/sync-folder.ts";

/** A source and what it goes through. Made only when there is somewhere to put it: an error then has somebody who hears it. */
type Stages = [Readable, ...Stage[]];
export type Stage = Duplex | ((source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>);

/** Where backups lie, by names with slashes. */
export interface BackupFolder {
  /** Keeps it under the name, whole or not at all. @returns how many bytes there are */
  put(name: string, stages: () => Stages | Promise<Stages>): Promise<number>;
  read(name: string): Readable;
  has(name: string): boolean;
  /** The names below one that look as ours do, in their order. */
  list(below: string, like: RegExp): Promise<string[]>;
  move(name: string, to: string): Promise<void>;
  /** Removes a name and what is below it. */
  remove(name: string): Promise<void>;
  /** Removes what processes that died left half-written. */
  tidy(before: Date): Promise<void>;
}

const halfWritten = "half-written";

/**
 * A folder that is on another machine's disk, mounted here, or is copied there.
 *
 * @throws ConfigError where it is not there: made anew below a mount point it would be on the disk that may be lost
 */
export function openBackupFolder(folder: string): BackupFolder {
  if (!existsSync(folder)) {
    throw new ConfigError(`BACKUP_FOLDER ${folder} is not there. Is it mounted? Make it yourself.`);
  }
  const at = (name: string) => path.join(folder, name);
  return {
    async put(name, stages) {
      const aside = at(`${halfWritten}/${randomUUID()}`);
      await mkdir(path.dirname(at(name)), { recursive: true, mode: 0o700 });
      await mkdir(path.dirname(aside), { recursive: true, mode: 0o700 });
      try {
        const sink = createWriteStream(aside, { mode: 0o600, flush: true });
        await through([...(await stages()), sink]);
        const { size } = await stat(aside);
        await rename(aside, at(name));
        await syncFolder(path.dirname(at(name)));
        return size;
      } finally {
        await rm(aside, { force: true });
      }
    },
    read: (name) => createReadStream(at(name)),
    has: (name) => existsSync(at(name)),
    list: async (below, like) => {
      const names = await listFiles(at(below));
      return names
        .map((name) => `${below}/${name}`)
        .filter((name) => like.test(name))
        .sort();
    },
    async move(name, to) {
      await mkdir(path.dirname(at(to)), { recursive: true, mode: 0o700 });
      await rename(at(name), at(to));
    },
    remove: (name) => rm(at(name), { recursive: true, force: true }),
    async tidy(before) {
      for (const name of await listFiles(at(halfWritten))) {
        const file = at(`${halfWritten}/${name}`);
        if ((await stat(file)).mtime < before) await rm(file, { force: true });
      }
    },
  };
}

/** A pipeline of any length; an error at one end ends all of it. */
export function through(
  stages: [Readable, ...(Stage | Writable)[]],
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  return pipeline(stages as unknown as [Readable, Writable], options);
}

/** The same as one stream to read from. */
export function joined(stages: [Readable, ...Stage[]]): Readable {
  // Whoever reads it hears of the error.
  return compose(...(stages as unknown as [Readable])) as unknown as Readable;
}

/** Every file below a folder, by its path from there; none where there is no folder. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
