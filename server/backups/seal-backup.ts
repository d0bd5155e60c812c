import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";

/** Ends the name of everything that is sealed here: `age` and `zstd` open it, too. */
export const sealedEnding = ".zst.age";

/** The key does not open what is kept, or what is kept was changed. */
export class BackupSealed extends Error {
  override name = "BackupSealed";
}

/** Compressed, then encrypted for those who hold a key of one of the recipients. */
export async function sealBackup(recipients: string[], plain: Readable): Promise<Readable> {
  const encrypter = new Encrypter();
  for (const each of recipients) encrypter.addRecipient(each);
  const sealed = await encrypter.encrypt(toWeb(plain.compose(createZstdCompress())));
  return Readable.fromWeb(sealed as ReadableStream);
}

/** @throws BackupSealed at once, or by the stream, once a bit of it is another */
export async function openBackup(identities: string[], sealed: Readable): Promise<Readable> {
  const decrypter = new Decrypter();
  for (const each of identities) decrypter.addIdentity(each);
  try {
    const plain = await decrypter.decrypt(toWeb(sealed));
    return Readable.fromWeb(plain as ReadableStream).compose(createZstdDecompress());
  } catch (error) {
    sealed.destroy();
    throw new BackupSealed("The key does not open this backup.", { cause: error });
  }
}

function toWeb(stream: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(stream) as globalThis.ReadableStream<Uint8Array>;
}
