import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect, createServer as createSilentServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, expect, onTestFinished, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build.ts";
import { findRunningEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { freePort } from "../setup/free-port.ts";
import { StartedProduct } from "../setup/started-product.ts";

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-start-"));
const started: StartedProduct[] = [];
afterEach(async () => {
  for (const each of started.splice(0)) await each.end("SIGTERM");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function begin(port: number, env: Record<string, string>, script?: string, output?: string) {
  // The fewest that ship elsewhere: web-processes.test.ts has what several are about.
  const own = { DATA_DIR: path.join(folder, "data"), WEB_CONCURRENCY: "1", ...env };
  const product = new StartedProduct(port, own, script, output);
  started.push(product);
  return product;
}

async function start(env: Record<string, string> = {}): Promise<StartedProduct> {
  return begin(await freePort(), env);
}

test("starts on an empty data directory, says where it is and how to make the first operator, and refuses a second start", async () => {
  const first = await start();
  await first.healthy();
  await expect
    .poll(() => first.output, { timeout: 20_000 })
    .toContain("npm run operator -- create");
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
    `Already running on DATA_DIR ${path.join(folder, "data")}: stop that one first.`,
  );
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  expect(await first.end("SIGTERM")).toBe(0);
  expect(findRunningEmbeddedPostgres(path.join(folder, "data"))).toBeNull();
});

test("works on while its log cannot be written, says so, and ends", async () => {
  const product = begin(await freePort(), { LOG_LEVEL: "info" }, "start", "/dev/full");
  await product.healthy();
  // Each leaves a line: together more than wait for a full disk.
  for (let batch = 0; batch < 40; batch += 1) {
    const asked = Array.from({ length: 50 }, () => fetch(`${product.url}/about`));
    for (const answer of await Promise.all(asked)) expect(await answer.text()).toContain("</html>");
  }
  const readiness = async () => (await fetch(`${product.url}/readyz`)).json();
  await expect.poll(readiness, { timeout: 5_000 }).toMatchObject({
    status: "ready",
    log: "ENOSPC",
    droppedLogLines: expect.toSatisfy((lines: number) => lines > 0),
  });
  expect(await product.end("SIGTERM")).toBe(0);
  expect(findRunningEmbeddedPostgres(path.join(folder, "data"))).toBeNull();
}, 120_000);

test("answers a balancer that names no host", async () => {
  const product = await start();
  await product.healthy();
  for (const line of ["GET /readyz HTTP/1.0", "GET /readyz HTTP/1.1", "HEAD /livez HTTP/1.0"]) {
    const socket = connect(Number(new URL(product.url).port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (text) => {
      answer += text;
    });
    socket.write(`${line}\r\nConnection: close\r\n\r\n`);
    await expect.poll(() => answer, { message: line }).toContain("HTTP/1.1 200 OK");
    socket.end();
  }
});

test("refuses a taken port in one line and stops the database that it had started", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  const late = begin(port, {});
  expect(await late.exited).toBe(1);
  expect(late.output.trim()).toBe(
    `PORT ${port} on 127.0.0.1 is taken: stop what uses it, or set PORT.`,
  );
  expect(findRunningEmbeddedPostgres(path.join(folder, "data"))).toBeNull();
  other.close();
});

test("takes over the database that a killed product left running, and ends cleanly when Ctrl-C comes twice", async () => {
  const killed = await start();
  await killed.healthy();
  await killed.end("SIGKILL");
  expect(findRunningEmbeddedPostgres(path.join(folder, "data"))).not.toBeNull();
  const next = await start();
  await next.healthy();
  next.child.kill("SIGINT");
  next.child.kill("SIGINT");
  expect(await next.exited).toBe(0);
  expect(next.output).toContain("Stopped.");
  // The pages that were being rendered ahead of their readers were not cut off from the database.
  expect(next.output).not.toContain("could not be read");
  expect(findRunningEmbeddedPostgres(path.join(folder, "data"))).toBeNull();
});

test.each([
  [{ PORT: "many" }, 'PORT must be a whole number from 0 to 65535, not "many".'],
  [
    { NETWORK: "mainnet" },
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

test("refuses a database that takes connections and never answers in one line", async () => {
  const silent = createSilentServer((socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const refused = await start({ DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/none` });
  expect(await refused.exited).toBe(1);
  expect(refused.output.trim()).toBe("DATABASE_URL: the database does not answer.");
  silent.close();
}, 40_000);

test("finishes a request that is under way when it is told to stop", async () => {
  const product = await start();
  await product.healthy();
  const { host, port, origin } = new URL(product.url);
  const body = "email=ada%40example.com&password=long+enough";
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
  product.child.kill("SIGTERM");
  await expect.poll(() => product.output).toContain("finishing what is under way");
  socket.write(body);
  // The password is hashed behind whatever else the machine does.
  await expect.poll(() => answer, { timeout: 10_000 }).toContain("Login failed");
  socket.end();
  expect(await product.exited).toBe(0);
});

test("npm is the last to go when it alone is told to stop, as a supervisor does that then kills what is left", async () => {
  const { npm, dataDir, healthy } = await startByNpm();
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
  const { npm, dataDir, healthy } = await startByNpm();
  npm.kill("SIGKILL");
  await expect.poll(() => findRunningEmbeddedPostgres(dataDir), { timeout: 15_000 }).toBeNull();
  await expect.poll(healthy, { timeout: 5_000 }).toBeUndefined();
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
      WEB_CONCURRENCY: "2",
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
  await expect.poll(healthy, { timeout: 40_000 }).toBe(true);
  return { npm, dataDir, healthy };
}

test("develops: serves pages without a build, and leaves no database behind", async () => {
  const product = begin(await freePort(), {}, "dev");
  await product.healthy();
  const page = await fetch(`${product.url}/login`);
  expect(page.status).toBe(200);
  const scripts = ["/app/auth/enhance/main.ts", "/app/entry.client.tsx"];
  expect(await page.text()).toContain(scripts[0]);
  for (const script of scripts) expect((await fetch(product.url + script)).status).toBe(200);
  expect(await product.end("SIGTERM")).toBe(0);
  expect(findRunningEmbeddedPostgres(path.join(folder, "data"))).toBeNull();
});

test("demonstrates: fills itself with invented people, marked as a demo on every page", async () => {
  const demo = begin(await freePort(), { DATA_DIR: path.join(folder, "demo") }, "demo");
  await expect.poll(() => demo.output, { timeout: 60_000 }).toContain("password of all");
  for (const page of ["/", "/login", "/nowhere"]) {
    expect(await (await fetch(demo.url + page)).text()).toContain(
      "Every person and figure here is invented",
    );
  }
  await expect.poll(() => firstPrices(demo.url), { timeout: 30_000 }).toContain('"asset":"BTC"');
  expect(await firstPrices(demo.url)).not.toContain('"simulated":false');
  expect(await demo.end("SIGTERM")).toBe(0);
});

/** The first prices that a stream brings. */
async function firstPrices(url: string): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/events/prices`, { signal: leaving.signal });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    if (/^data: .*\n\n/m.test(text)) break;
  }
  leaving.abort();
  return text;
}
