import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import type { FileStore } from "../../server/platform/files/file-store.ts";
import { openLocalFileStore } from "../../server/platform/files/local-file-store.ts";

/** A file store of this test file's own; it is deleted afterwards. Call it at the top of the file. */
export function testFiles(): FileStore & { folder: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "assay-files-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { ...openLocalFileStore(folder), folder };
}
