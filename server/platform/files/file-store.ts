/** Where uploads lie: outside the web root, under keys that nobody can guess. */
export interface FileStore {
  /**
   * Keeps the bytes under a key. Once it returns they survive a crash. When it throws, a store that we ask over a network may have them all the
   * same: whoever asked deletes the key.
   *
   * Refuses with files/storage-full, and with files/storage-away when the store does not take it for another reason.
   */
  put(key: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /**
   * The bytes, or null when nothing is kept under the key.
   *
   * @throws StorageAway
   */
  get(key: string): Promise<Uint8Array | null>;
  /**
   * Forgets a key. Forgetting what is not there is success.
   *
   * @throws StorageAway
   */
  delete(key: string): Promise<void>;
}

/** There is no room for the file. Nothing was kept. */
export class StorageFull extends Error {
  override name = "StorageFull";
}

/** The store could not be asked: worth asking again in a moment. */
export class StorageAway extends Error {
  override name = "StorageAway";

  constructor(cause: unknown) {
    super(`The file store failed: ${(cause as Error).message}`, { cause });
  }
}
