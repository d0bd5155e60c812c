import path from "node:path";
import { Refusal } from "#core/refusal.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log/log.ts";
import { requireFileKey } from "./file-key.ts";
import { type FileStore, StorageAway, StorageFull } from "./file-store.ts";
import { openLocalFileStore } from "./local-file-store.ts";
import { openS3FileStore } from "./s3-file-store.ts";

/** Opens the store that is configured: S3-compatible, or a folder in the data directory. The log says why it failed. */
export function openFileStore(config: Pick<Config, "s3" | "dataDir">, log: Log): FileStore {
  const store = config.s3
    ? openS3FileStore(config.s3)
    : openLocalFileStore(path.join(config.dataDir, "files"));
  const away = (cause: unknown) => {
    throw new StorageAway(cause);
  };
  return {
    async put(key, bytes, mediaType) {
      requireFileKey(key);
      await store.put(key, bytes, mediaType).catch((cause: unknown) => {
        log.error({ err: cause }, "a file could not be kept");
        if (cause instanceof StorageFull) throw new Refusal("files/storage-full");
        throw new Refusal("files/storage-away");
      });
    },
    async get(key) {
      requireFileKey(key);
      return store.get(key).catch(away);
    },
    async delete(key) {
      requireFileKey(key);
      await store.delete(key).catch(away);
    },
  };
}
