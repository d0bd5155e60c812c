import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import path from "node:path";

const inMemory = "/dev/shm";
/** Five times what all tests have at a time. */
const bytesWanted = 2e9;

/**
 * A folder for what tests write, removed when this process ends: in memory where there is plenty of it. Each test file
 * copies a database of 1,300 files, which costs ext4 twelve times as much as memory.
 */
export function quickFolder(): string {
  const folder = mkdtempSync(path.join(hasRoom() ? inMemory : tmpdir(), "assay-tests-"));
  // PostgreSQL passes through as another user, where root runs the tests.
  chmodSync(folder, 0o711);
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function hasRoom(): boolean {
  if (!existsSync(inMemory)) return false;
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > bytesWanted && freemem() > bytesWanted;
}
