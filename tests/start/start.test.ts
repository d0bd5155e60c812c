import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createSilentServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { findRunningEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { freePort } from "../setup/free-port.ts";
import { isLong } from "../setup/slowness.ts";
import { StartedProduct, startProducts } from "../setup/started-product.ts";

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-start-"));
const dataDir = path.join(folder, "data");
const startIn = startProducts(folder);
const start = startIn.bind(null, "data");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a product on an empty data directory", () => {
  let first: StartedProduct;
  beforeAll(async () => {
    const env = { DATA_DIR: dataDir, WEB_CONCURRENCY: "1" };
    first = new StartedProduct(await freePort(), env);
    await first.healthy();
  });
  afterAll(() => first.end("SIGTERM"));

  test("says where it is and how to make the first operator, and refuses a second start", async () => {
    await expect.poll(() => first.output).toContain("npm run operator -- create");
    expect(first.output).toContain(`is running at ${first.url}`);
    const health = await (await fetch(`${first.url}/readyz`)).json();
    expect(health).toEqual({
      status: "ready",
      database: "ok",
      migrations: "done",
      log: "ok",
      droppedLogLines: 0,
    });
    expect((await fetch(`${first.url}/livez`)).status).toBe(200);
    const second = await start();
    expect(await second.exited).toBe(1);
    expect(second.output.trim()).toBe(
      `Already running on DATA_DIR ${dataDir}: stop that one first.`,
    );
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  test("answers a balancer that names no host", async () => {
    for (const line of ["GET /readyz HTTP/1.0", "GET /readyz HTTP/1.1", "HEAD /livez HTTP/1.0"]) {
      const socket = connect(Number(new URL(first.url).port), "127.0.0.1");
      let answer = "";
      socket.setEncoding("utf8").on("data", (text) => {
        answer += text;
      });
      socket.write(`${line}\r\nConnection: close\r\n\r\n`);
      await expect.poll(() => answer, { message: line }).toContain("HTTP/1.1 200 OK");
      socket.end();
    }
  });

  test("finishes a request that is under way when it is told to stop, and leaves no database behind", async () => {
    const { host, port, origin } = new URL(first.url);
    const body = "email=nobody&password=";
    const request = [
      "POST /login HTTP/1.1",
      `Host: ${host}`,
      `Origin: ${origin}`,
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
    ];
    const socket = connect(Number(port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    socket.write(`${request.join("\r\n")}\r\n\r\n`);
    // The server has the request and waits for its body.
    await expect.poll(() => answer).toContain("100 Continue");
    first.child.kill("SIGTERM");
    await expect.poll(() => first.output).toContain("finishing what is under way");
    socket.write(body);
    // Nothing is hashed for it, which could outlast the five seconds that what is under way has.
    await expect.poll(() => answer).toContain("Invalid email format");
    socket.end();
    expect(await first.exited).toBe(0);
    expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
  });
});

test("works on while its log cannot be written, says so, and ends", async () => {
  const product = await start({ LOG_LEVEL: "info" }, { output: "/dev/full" });
  await product.healthy();
  // Each leaves a line: together more than wait for a full disk.
  for (let batch = 0; batch < 40; batch += 1) {
    const asked = Array.from({ length: 50 }, () => fetch(`${product.url}/about`));
    for (const answer of await Promise.all(asked)) expect(await answer.text()).toContain("</html>");
  }
  const readiness = async () => (await fetch(`${product.url}/readyz`)).json();
  await expect.poll(readiness).toMatchObject({
    status: "ready",
    log: "ENOSPC",
    droppedLogLines: expect.toSatisfy((lines: number) => lines > 0),
  });
  expect(await product.end("SIGTERM")).toBe(0);
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
});

test("refuses a taken port in one line and stops the database that it had started", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  const late = await start({}, { port });
  expect(await late.exited).toBe(1);
  expect(late.output.trim()).toBe(
    `PORT ${port} on 127.0.0.1 is taken: stop what uses it, or set PORT.`,
  );
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
  other.close();
});

test("takes over the database that a killed product left running, and ends cleanly when Ctrl-C comes twice", async () => {
  const killed = await start();
  await killed.healthy();
  await killed.end("SIGKILL");
  expect(findRunningEmbeddedPostgres(dataDir)).not.toBeNull();
  const next = await start();
  await next.healthy();
  next.child.kill("SIGINT");
  next.child.kill("SIGINT");
  expect(await next.exited).toBe(0);
  expect(next.output).toContain("Stopped.");
  // The pages that were being rendered ahead of their readers were not cut off from the database.
  expect(next.output).not.toContain("could not be read");
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
});

test.each([
  [{ PORT: "many" }, 'PORT must be a whole number from 0 to 65535, not "many".'],
  [
    { NETWORK: "mainnet", APP_URL: "https://mine.example.org" },
    "DEPOSIT_ADDRESS_BITCOIN must hold your own address when NETWORK=mainnet.",
  ],
  [
    { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" },
    "DATABASE_URL: the database cannot be reached (ECONNREFUSED).",
  ],
])("refuses %o in one line", async (env, line) => {
  const refused = await start(env);
  expect(await refused.exited).toBe(1);
  expect(refused.output.trim()).toBe(line);
});

test.each([
  ["never answers", () => {}, "does not answer."],
  [
    "closes them, as a balancer without a server does",
    (socket: Socket) => socket.destroy(),
    "cannot be reached (the connection was closed).",
  ],
])("refuses a database that takes connections and %s in one line", async (_, behave, line) => {
  const silent = createSilentServer((socket) => behave(socket.on("error", () => {})));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const refused = await start({ DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/none` });
  expect(await refused.exited).toBe(1);
  expect(refused.output.trim()).toBe(`DATABASE_URL: the database ${line}`);
  silent.close();
});

test("npm is the last to go when it alone is told to stop, as a supervisor does that then kills what is left", async () => {
  const { npm, healthy } = await startByNpm();
  const gone = new Promise<unknown[]>((resolve) =>
    npm.once("exit", (...how) => {
      resolve([...how, findRunningEmbeddedPostgres(dataDir)]);
    }),
  );
  npm.kill("SIGTERM");
  expect(await gone).toEqual([0, null, null]);
  expect(await healthy()).toBeUndefined();
});

test("ends by itself when npm is killed without a word", async () => {
  const { npm, healthy } = await startByNpm();
  npm.kill("SIGKILL");
  await expect.poll(() => findRunningEmbeddedPostgres(dataDir)).toBeNull();
  await expect.poll(healthy).toBeUndefined();
});

/** The product as a supervisor starts it, in a process group of its own. */
async function startByNpm() {
  const port = await freePort();
  const dataDir = path.join(folder, "data");
  const npm = spawn("npm", ["start"], {
    detached: true,
    stdio: "ignore",
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: "error",
      WEB_CONCURRENCY: "1",
    },
  });
  // What a failing test leaves of it must not outlive it.
  onTestFinished(() => {
    try {
      process.kill(-(npm.pid ?? 0), "SIGTERM");
    } catch {
      // Nothing is left.
    }
  });
  const healthy = async () =>
    (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok;
  await expect.poll(healthy).toBe(true);
  return { npm, healthy };
}

/** Of contributors alone, and dearer than any start that customers meet: in a long run. */
const develops = async () => {
  const product = await start({}, { script: "dev" });
  await product.healthy();
  const page = await fetch(`${product.url}/login`);
  expect(page.status).toBe(200);
  const scripts = ["/app/auth/enhance/main.ts", "/app/entry.client.tsx"];
  expect(await page.text()).toContain(scripts[0]);
  for (const script of scripts) expect((await fetch(product.url + script)).status).toBe(200);
  expect(await product.end("SIGTERM")).toBe(0);
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
};
if (isLong) test("develops: serves pages without a build, and leaves no database behind", develops);
