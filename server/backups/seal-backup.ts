import { ReadableStream as NodeStream } from "node:stream/web";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import type { Stage } from "./backup-folder.ts";

/** Ends the name of everything that is sealed here: `age` and `zstd` open it, too. */
export const sealedEnding = ".zst.age";

/** The key does not open what is kept, or what is kept was changed. */
export class BackupSealed extends Error {
  override name = "BackupSealed";
}

/** Compresses, then encrypts for those who hold a key of one of the recipients. */
export function sealing(recipients: string[]): Stage[] {
  return [
    createZstdCompress(),
    async function* (plain) {
      const encrypter = new Encrypter();
      for (const each of recipients) encrypter.addRecipient(each);
      yield* read(await encrypter.encrypt(toStream(plain)));
    },
  ];
}

/** The way back; fails with BackupSealed, at once or where a bit is another. */
export function opening(identities: string[]): Stage[] {
  return [
    async function* (sealed) {
      const decrypter = new Decrypter();
      for (const each of identities) decrypter.addIdentity(each);
      try {
        yield* read(await decrypter.decrypt(toStream(sealed)));
      } catch (error) {
        // What could not be read at all says so itself.
        if ((error as NodeJS.ErrnoException).code) throw error;
        throw new BackupSealed("The key does not open this backup, or it was changed.", {
          cause: error,
        });
      }
    },
    createZstdDecompress(),
  ];
}

/** The library's streams are the browser's; Node's are the same in all but their types. */
function toStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return NodeStream.from(source) as unknown as ReadableStream<Uint8Array>;
}

function read(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return stream as unknown as NodeStream<Uint8Array>;
}
