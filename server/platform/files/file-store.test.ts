import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs/promises";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startFakeS3 } from "#tests/fakes/s3.ts";
import { isOutage } from "../is-outage.ts";
import { openLog } from "../log/log.ts";
import { randomFileKey } from "./file-key.ts";
import { openLocalFileStore } from "./local-file-store.ts";
import { openFileStore } from "./open-file-store.ts";

const dataDir = mkdtempSync(path.join(tmpdir(), "assay-store-"));
const s3 = await startFakeS3();
const log = openLog("silent");
afterAll(async () => {
  await s3.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const stores = [
  ["a folder", openFileStore({ s3: null, dataDir }, log)],
  ["S3", openFileStore({ s3: s3.config, dataDir }, log)],
] as const;

test("the folders above a file, up to the data directory, are on disk before the file counts as stored", async () => {
  const fresh = mkdtempSync(path.join(tmpdir(), "assay-synced-"));
  const synced: string[] = [];
  const open = fs.open;
  fs.open = async (file, ...rest) => {
    const handle = await open(file, ...rest);
    const sync = handle.sync.bind(handle);
    handle.sync = () => {
      synced.push(path.relative(fresh, String(file)));
      return sync();
    };
    return handle;
  };
  syncBuiltinESMExports();
  try {
    const key = randomFileKey("slips");
    await openFileStore({ s3: null, dataDir: fresh }, log).put(key, randomBytes(10), "image/jpeg");
    const folder = path.join("files", path.dirname(key));
    expect(synced).toEqual(expect.arrayContaining([folder, path.dirname(folder), "files", ""]));
  } finally {
    fs.open = open;
    syncBuiltinESMExports();
    rmSync(fresh, { recursive: true, force: true });
  }
});

describe.each(stores)("in %s", (_, store) => {
  test("what was put comes back, byte for byte", async () => {
    for (const size of [1, 70_000, 9_000_000]) {
      const [key, bytes] = [randomFileKey("slips"), randomBytes(size)];
      await store.put(key, bytes, "image/jpeg");
      const kept = await store.get(key);
      expect(sha256(kept)).toBe(sha256(bytes));
    }
  });

  test("many at once do not mix", async () => {
    const all = Array.from({ length: 20 }, () => ({
      key: randomFileKey("slips"),
      bytes: randomBytes(5000),
    }));
    await Promise.all(all.map(({ key, bytes }) => store.put(key, bytes, "image/jpeg")));
    for (const { key, bytes } of all) expect(sha256(await store.get(key))).toBe(sha256(bytes));
  });

  test("what is not there is null, and deleting it is success", async () => {
    const key = randomFileKey("slips");
    expect(await store.get(key)).toBeNull();
    await store.delete(key);
    await store.put(key, randomBytes(10), "image/jpeg");
    await store.delete(key);
    expect(await store.get(key)).toBeNull();
  });

  test.each([
    "../../etc/passwd",
    "/etc/passwd",
    "slips/../../x",
    "slips/ab/cd",
    "",
    "slips/ab/..%2f",
  ])("the key %j is refused", async (key) => {
    await expect(store.get(key)).rejects.toThrow("not the key of a file");
    await expect(store.put(key, randomBytes(1), "image/jpeg")).rejects.toThrow(
      "not the key of a file",
    );
    await expect(store.delete(key)).rejects.toThrow("not the key of a file");
  });
});

describe("a folder", () => {
  test("can be read by its owner alone", async () => {
    const key = randomFileKey("slips");
    const [, store] = stores[0];
    await store.put(key, randomBytes(10), "image/jpeg");
    const file = path.join(dataDir, "files", key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(dataDir, "files")).mode & 0o777).toBe(0o700);
  });

  test("loses what a killed process left half-written, not what another writes right now", () => {
    const halfWritten = path.join(dataDir, "killed", "half-written");
    mkdirSync(halfWritten, { recursive: true });
    for (const name of ["old", "new"]) writeFileSync(path.join(halfWritten, name), "half");
    const now = new Date();
    utimesSync(path.join(halfWritten, "old"), 0, 0);
    // The disk does not go by the clock of a run at another moment.
    utimesSync(path.join(halfWritten, "new"), now, now);
    openLocalFileStore(path.dirname(halfWritten));
    expect(readdirSync(halfWritten)).toEqual(["new"]);
  });

  test("that is full says so, keeps nothing, and takes files again when there is room", () => {
    const folder = path.join(dataDir, "full");
    mkdirSync(folder);
    const program = `
      const { openLocalFileStore } = await import(${JSON.stringify(path.resolve("server/platform/files/local-file-store.ts"))});
      const { randomFileKey } = await import(${JSON.stringify(path.resolve("server/platform/files/file-key.ts"))});
      const { readdirSync } = await import("node:fs");
      const store = openLocalFileStore(process.argv[1]);
      const key = randomFileKey("slips");
      const error = await store.put(key, new Uint8Array(2_000_000), "image/jpeg").catch((error) => error);
      const left = readdirSync(process.argv[1], { recursive: true, withFileTypes: true });
      const nothing = await store.get(key);
      await store.put(randomFileKey("slips"), new Uint8Array(20_000), "image/jpeg");
      console.log(JSON.stringify([error?.name, left.filter((e) => e.isFile()).length, nothing]));`;
    expect(JSON.parse(withLittleRoom(folder, program))).toEqual(["StorageFull", 0, null]);
  });
});

/**
 * Runs a program where a folder has room for 1 MB: on a file system of its own where this machine lets us
 * make one, else under a limit of 1 MB for each file.
 */
function withLittleRoom(folder: string, program: string): string {
  const node = [process.execPath, "--input-type=module", "-e", program, folder];
  const mount = 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"';
  const own = spawnSync("unshare", ["-rm", "sh", "-c", mount, folder, ...node], {
    encoding: "utf8",
  });
  if (own.status === 0) return own.stdout;
  const limited = spawnSync("sh", ["-c", 'ulimit -f 2048 && exec "$@"', "sh", ...node], {
    encoding: "utf8",
  });
  if (limited.status !== 0) throw new Error(limited.stderr);
  return limited.stdout;
}

test("an S3 store that is full says so", async () => {
  const answer = `<?xml version="1.0"?><Error><Code>QuotaExceeded</Code><Message>full</Message></Error>`;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(507, { "content-type": "application/xml" }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}/slips`;
  const store = openFileStore({ s3: { ...s3.config, endpoint }, dataDir }, log);
  await expect(
    store.put(randomFileKey("slips"), randomBytes(10), "image/jpeg"),
  ).rejects.toMatchObject({ code: "files/storage-full" });
  await new Promise((resolve) => server.close(resolve));
});

test("a store that does not answer keeps nothing, and both who sends and who reads may ask again", async () => {
  const lines: string[] = [];
  const said = openLog("error", { write: (line) => void lines.push(line) });
  const away = { ...s3.config, endpoint: "http://127.0.0.1:1/slips" };
  const store = openFileStore({ s3: away, dataDir }, said);
  const key = randomFileKey("slips");
  await expect(store.put(key, randomBytes(10), "image/jpeg")).rejects.toMatchObject({
    code: "files/storage-away",
  });
  expect(lines.join()).toContain("a file could not be kept");
  expect(isOutage(await store.get(key).catch((error) => error))).toBe(true);
});

function sha256(bytes: Uint8Array | null): string {
  return createHash("sha256")
    .update(bytes ?? "nothing")
    .digest("hex");
}
