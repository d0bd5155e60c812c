import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "s3rver";

export interface FakeS3 {
  /** What the product's configuration wants. */
  config: { endpoint: string; region: string; accessKeyId: string; secretAccessKey: string };
  stop(): Promise<void>;
}

/** An S3-compatible store with one bucket: on a free port, and empty, unless it is given both. */
export async function startFakeS3(kept?: { directory: string; port: number }): Promise<FakeS3> {
  const directory = kept?.directory ?? mkdtempSync(path.join(tmpdir(), "assay-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: kept?.port ?? 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "slips", configs: [] }],
  });
  const { port } = await server.run();
  return {
    config: {
      endpoint: `http://127.0.0.1:${port}/slips`,
      region: "us-east-1",
      accessKeyId: "S3RVER",
      secretAccessKey: "S3RVER",
    },
    async stop() {
      await server.close();
      if (!kept) rmSync(directory, { recursive: true, force: true });
    },
  };
}
