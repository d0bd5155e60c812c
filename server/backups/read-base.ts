import { Readable } from "node:stream";
import pg from "pg";

/** A connection of pg as far as a reader of what the server copies needs it. */
interface Connection {
  query(text: string): void;
  stream: { pause(): void; resume(): void };
}

/**
 * All files of a running cluster as one tar, with the WAL that makes them one moment: what pg_basebackup asks a server for, in the
 * protocol of PostgreSQL 15 and later (BASE_BACKUP). `pg` hands each message to whoever it was given as a query.
 */
class BaseBackup extends Readable {
  readonly #text = "BASE_BACKUP (LABEL 'assay', CHECKPOINT 'fast', WAL true, MANIFEST 'no')";
  #connection: Connection | null = null;
  /** The positions in the WAL where it begins and where it ends, once they are known. */
  readonly positions: string[] = [];

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#text);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}

  handleDataRow({ fields: [position] }: { fields: (string | null)[] }): void {
    if (position && /^[0-9A-F]+\/[0-9A-F]+$/.test(position)) this.positions.push(position);
  }

  /** `d` and a piece of the archive; other messages say how it goes on. The piece is copied: pg uses its buffer again. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const isData = chunk[0] === 0x64;
    if (isData && !this.push(Buffer.from(chunk.subarray(1)))) this.#connection?.stream.pause();
  }

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }
}

/** Its connection ends with it. */
export async function readBase(ownerUrl: string): Promise<BaseBackup> {
  const settings = { connectionString: ownerUrl, replication: "true" };
  const client = new pg.Client(settings as pg.ClientConfig);
  client.on("error", (error) => tar.destroy(error));
  const tar = new BaseBackup();
  await client.connect();
  client.query(tar as unknown as pg.Submittable);
  tar.once("close", () => void client.end().catch(() => {}));
  return tar;
}
