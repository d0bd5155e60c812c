import { statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";

export interface Disk {
  freeBytes: number;
  sizeBytes: number;
  /** So little is left that somebody must make room: PostgreSQL stops when there is none. */
  isShort: boolean;
}

const leastFree = { share: 0.1, bytes: 2e9 };
const answersWithinMs = 2_000;

/** By folder. One on a network that hangs keeps a thread of its own, and no second one. */
const asking = new Map<string, Promise<Disk | null>>();

/** The disk where a folder is; null where it cannot be told. */
export function readDisk(folder: string): Promise<Disk | null> {
  const asked =
    asking.get(folder) ??
    statfs(folder)
      .then(({ bavail, blocks, bsize }) => {
        const [freeBytes, sizeBytes] = [bavail * bsize, blocks * bsize];
        const isShort = freeBytes <= Math.min(leastFree.bytes, sizeBytes * leastFree.share);
        return { freeBytes, sizeBytes, isShort };
      })
      .catch(() => null)
      .finally(() => asking.delete(folder));
  asking.set(folder, asked);
  return Promise.race([asked, wait(answersWithinMs, null, { ref: false })]);
}
