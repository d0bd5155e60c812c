import { readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { z } from "#core/zod.ts";
import { drip, packedBomb, pourForEver, startOutsideServer } from "#tests/fakes/outside-server.ts";
import { within } from "#tests/setup/slowness.ts";
import { JsonRpc } from "./chain/json-rpc.ts";
import { askAt } from "./markets/sources/ask.ts";
import { askBraiins } from "./payouts/braiins/ask-braiins.ts";
import { openS3FileStore } from "./platform/files/s3-file-store.ts";
import { openVirusScan } from "./platform/files/virus-scan.ts";
import { openLog } from "./platform/log/log.ts";
import { openTransport } from "./platform/mail/transport.ts";

const outside = await startOutsideServer();
afterAll(() => outside.stop());
afterEach(() => void vi.restoreAllMocks());

const never = new AbortController().signal;
const key = `slips/00/${"0".repeat(32)}`;
const bomb = packedBomb();
const keys = { accessKeyId: "a", secretAccessKey: "b", region: "us-east-1" };

/** Everything outside that is asked over HTTP, below the address of a server that does not mean well. */
const families: Array<[string, (url: string) => Promise<unknown>]> = [
  ["an exchange", (url) => askAt(url, never)("/", z.unknown())],
  [
    "a Bitcoin node",
    (url) => new JsonRpc(url, { version: "1.0" }).ask("getblock", [], z.unknown()),
  ],
  [
    "an Ethereum node",
    (url) => new JsonRpc(url, { version: "2.0" }).ask("eth_getLogs", [], z.unknown()),
  ],
  [
    "a pool",
    (url) =>
      askBraiins({ url, token: "t", pauseMs: 0 }, { from: "2026-01-01", until: "2026-01-02" }),
  ],
  ["a store of files", (url) => openS3FileStore({ endpoint: `${url}/bucket`, ...keys }).get(key)],
];

function serveEverywhere(answer: Parameters<typeof outside.serve>[1]): void {
  for (const path of ["/", "/accounts/rewards/json/btc", `/bucket/${key}`]) {
    outside.serve(path, answer);
  }
}

describe.each(families)("%s", (_, ask) => {
  afterEach(() => expect(outside.requests.splice(0).length).toBeGreaterThan(0));

  test("that sends a few kilobytes which unpack to hundreds of megabytes fails, and costs little memory", async () => {
    serveEverywhere(bomb);
    const before = process.memoryUsage().rss;
    await expect(ask(outside.url)).rejects.toThrow();
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  test("that pours without end fails", async () => {
    serveEverywhere({ misbehave: pourForEver });
    await expect(ask(outside.url)).rejects.toThrow();
  });

  test("that sends a byte now and then fails in time", async () => {
    serveEverywhere({ misbehave: drip });
    const real = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      expect(ms).toBeLessThanOrEqual(60_000);
      return real(300);
    });
    await expect(ask(outside.url)).rejects.toThrow();
  });

  test("that sends a megabyte of open brackets fails, without holding up anybody", async () => {
    const deep = Buffer.alloc(1_000_000, "[");
    serveEverywhere({ body: gzipSync(deep), headers: { "content-encoding": "gzip" } });
    const asked = ask(outside.url);
    const started = performance.now();
    await asked.catch(() => {});
    expect(performance.now() - started).toBeLessThan(within(2_000));
  });
});

test.each<[string, (port: number) => Promise<unknown>]>([
  [
    "a mail server",
    (port) =>
      openTransport({ smtpUrl: `smtp://127.0.0.1:${port}`, dataDir: "" }).deliver({
        id: "1",
        date: new Date(),
        from: "a@example.com",
        to: "b@example.com",
        text: "Hello",
      }),
  ],
  [
    "a virus scanner",
    (port) => openVirusScan({ host: "127.0.0.1", port }, openLog("silent"))(Buffer.from("a file")),
  ],
])("%s that pours without end fails, and costs little memory", async (_, ask) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const pour = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(64 * 1024, "2")));
    };
    socket.on("error", () => {}).on("drain", pour);
    pour();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = process.memoryUsage().rss;
  await expect(ask((server.address() as AddressInfo).port)).rejects.toThrow();
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Who may speak to what is outside, each with limits of its own: HTTP, PostgreSQL, clamd. */
const speakers = [
  "platform/ask-outside.ts",
  "platform/database/watched-client.ts",
  "platform/files/virus-scan.ts",
];

test("nothing but these files opens a connection to the outside", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => /(?<![.]test)[.]ts$/.test(file))
    .filter((file) => {
      const text = readFileSync(`${import.meta.dirname}/${file}`, "utf8");
      return (
        /(?<![.\w])fetch\(/.test(text) ||
        /import (?!type)[^;]*\b(?:request|get|connect|Socket|net|tls|http|https|http2)\b[^;]* from "node:(?:http|https|http2|net|tls)"/.test(
          text,
        ) ||
        /from "undici"/.test(text)
      );
    });
  expect(found.sort()).toEqual(speakers);
});
