import path from "node:path";
import type { Config } from "../config.ts";
import type { FileStore } from "./file-store.ts";
import { openLocalFileStore } from "./local-file-store.ts";
import { openS3FileStore } from "./s3-file-store.ts";

/** Opens the store that is configured: S3-compatible, or a folder in the data directory. */
export function openFileStore(config: Pick<Config, "s3" | "dataDir">): FileStore {
  return config.s3
    ? openS3FileStore(config.s3)
    : openLocalFileStore(path.join(config.dataDir, "files"));
}
