import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { findRunningEmbeddedPostgres } from "../../server/platform/database/embedded-postgres.ts";
import { freePort } from "../setup/free-port.ts";
import { within } from "../setup/slowness.ts";
import { type StartedProduct, startProducts } from "../setup/started-product.ts";

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-processes-"));
const dataDir = path.join(folder, "data");
const startIn = startProducts(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(env: Record<string, string> = {}, port?: number): Promise<StartedProduct> {
  return startIn("data", { WEB_CONCURRENCY: "2", ...env }, port === undefined ? {} : { port });
}

/** All of its processes answer: the first of them makes it healthy. */
async function startWhole(env: Record<string, string> = {}, port?: number) {
  const product = await start(env, port);
  await expect.poll(() => product.output).toContain("is running at");
  return product;
}

/** Linux says whose child a process is in the fourth field, after a name in brackets. */
function webProcessesOf({ child }: StartedProduct): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return Number(parent) === child.pid && command.includes("web-process.ts");
      } catch {
        return false;
      }
    })
    .map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What came of a request: its status, or null where no whole answer came. */
function ask(url: string, agent: Agent): Promise<number | null> {
  return new Promise((resolve) => {
    const request = get(url, { agent, timeout: within(10_000) }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () =>
        resolve(text.endsWith("</html>") ? (answer.statusCode ?? null) : null),
      );
      answer.on("error", () => resolve(null));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(null));
  });
}

/** Readers who ask for one page after the other, until `stop`, and what they got. */
function readPages(url: string, readers: number, options: { keepAlive: boolean }) {
  let isStopped = false;
  const answers: Array<number | null> = [];
  const all = Array.from({ length: readers }, async () => {
    const agent = new Agent({ ...options, maxSockets: 1 });
    while (!isStopped) answers.push(await ask(`${url}/signup`, agent));
    agent.destroy();
  });
  return {
    answers,
    async stop() {
      isStopped = true;
      await Promise.all(all);
    },
  };
}

test("a web process that is killed is replaced, and only the requests that it had are lost; all end under load", async () => {
  const metricsPort = await freePort();
  const product = await startWhole({ METRICS_PORT: String(metricsPort) });
  /** Of all processes together, also of one that is gone. */
  const counted = async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const counts = text.matchAll(/^assay_http_request_duration_seconds_count\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  const before = webProcessesOf(product);
  expect(before).toHaveLength(2);
  const readers = readPages(product.url, 4, { keepAlive: true });
  await expect.poll(() => readers.answers.length).toBeGreaterThan(20);
  const soFar = await counted();
  expect(soFar).toBeGreaterThan(20);
  process.kill(before[0] ?? 0, "SIGKILL");
  const others = () => webProcessesOf(product).filter((pid) => !before.includes(pid));
  await expect.poll(others).toHaveLength(1);
  const { length } = readers.answers;
  await expect.poll(() => readers.answers.length).toBeGreaterThan(length + 20);
  await readers.stop();
  expect(readers.answers.filter((status) => status !== 200).length).toBeLessThanOrEqual(4);
  await expect.poll(counted).toBeGreaterThan(soFar);
  await expect.poll(() => product.output).toContain("a web process ended: starting another");
  await endsUnderLoad(product);
  expect([...before, ...others()].filter(isAlive)).toEqual([]);
});

/** Within its time: what was begun is answered, and nothing is left. */
async function endsUnderLoad(product: StartedProduct): Promise<void> {
  const pids = webProcessesOf(product);
  const readers = readPages(product.url, 6, { keepAlive: false });
  await expect.poll(() => readers.answers.length).toBeGreaterThan(20);
  const at = performance.now();
  // A terminal's Ctrl-C comes to every process.
  for (const pid of pids) process.kill(pid, "SIGINT");
  expect(await product.end("SIGINT")).toBe(0);
  expect(performance.now() - at).toBeLessThan(within(10_000));
  await readers.stop();
  const firstRefused = readers.answers.indexOf(null);
  expect(readers.answers.slice(0, firstRefused).every((status) => status === 200)).toBe(true);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
}

test("told to stop, they say that they are not ready and go on answering for DRAIN_SECONDS, then end", async () => {
  const product = await startWhole({ DRAIN_SECONDS: "2" });
  const ended = product.end("SIGTERM");
  const read = async (address: string) => {
    const answer = await fetch(product.url + address);
    return {
      status: answer.status,
      connection: answer.headers.get("connection"),
      text: await answer.text(),
    };
  };
  await expect
    .poll(() => read("/readyz"))
    .toMatchObject({ status: 503, text: '{"status":"stopping"}' });
  expect(await read("/faq")).toMatchObject({ status: 200, connection: "close" });
  expect(await ended).toBe(0);
});

test("web processes end with the one that started them, and the next start takes over; a process beside it (ROLE=web) asks the database alone", async () => {
  const killed = await startWhole();
  const pids = webProcessesOf(killed);
  await killed.end("SIGKILL");
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  const port = Number(new URL(killed.url).port);
  const product = await startWhole({ WEB_CONCURRENCY: "1" }, port);
  expect(webProcessesOf(product)).toEqual([]);
  const database = findRunningEmbeddedPostgres(dataDir);
  mkdirSync(`${dataDir}-beside`);
  symlinkSync(`${dataDir}/files`, `${dataDir}-beside/files`);
  const another = {
    ROLE: "web",
    DATA_DIR: `${dataDir}-beside`,
    DATABASE_URL: database?.applicationUrl ?? "",
    DATABASE_OWNER_URL: database?.ownerUrl ?? "",
  };
  const withOwnKeys = await start(another);
  expect(await withOwnKeys.exited).toBe(1);
  expect(withOwnKeys.output).toMatch(/AUTH_SECRET is another one .* npm run secret -- accept/);
  const beside = await startWhole({
    ...another,
    AUTH_SECRET: readFileSync(`${dataDir}/secrets/auth-secret`, "utf8").trim(),
    DOCUMENT_KEYS: readFileSync(`${dataDir}/secrets/document-keys`, "utf8").trim(),
  });
  expect(webProcessesOf(beside)).toHaveLength(2);
  expect(findRunningEmbeddedPostgres(`${dataDir}-beside`)).toBeNull();
  expect(await beside.end("SIGTERM")).toBe(0);
});

test("a start whose address cannot be used says so in one line and leaves nothing", async () => {
  const late = await start({ HOST: "192.0.2.1" });
  expect(await late.exited).toBe(1);
  expect(late.output).toMatch(/^HOST .* cannot be used: /);
  expect(late.output.trim().split("\n")).toHaveLength(1);
  expect(findRunningEmbeddedPostgres(dataDir)).toBeNull();
});
