import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { ensureProxies } from "../../scripts/programs/get-proxies.ts";
import { freePort } from "../setup/free-port.ts";
import { patienceMs } from "../setup/slowness.ts";
import { type StartedProduct, startProducts } from "../setup/started-product.ts";
import { startOperatorsServer } from "./operators-server.ts";

buildWhenNeeded();
const folder = mkdtempSync(path.join(tmpdir(), "assay-roll-"));
const start = startProducts(folder);
const server = await startOperatorsServer(folder);
const DATABASE_URL = await server.newDatabase("rolled", "createrole");
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** As docs/operating/web-and-worker.md has it: one database, files and secrets that all share, and DRAIN_SECONDS for deploy/haproxy. */
const env = { DATABASE_URL, APP_URL: url, TRUSTED_PROXIES: "1", DRAIN_SECONDS: "5" };
const ports = [await freePort(), await freePort()] as const;
const startOne = (place: 0 | 1) => start("data", env, { port: ports[place] });

test("behind HAProxy both products are replaced one after the other under load, and no request fails", async () => {
  const first = await startOne(0);
  await first.healthy();
  const second = await startOne(1);
  await second.healthy();
  const proxy = startProxy();
  try {
    await expect.poll(() => ask(null, new Agent())).toMatch(/^200/);
    const load = visit(4);
    await expect.poll(() => load.answers.length).toBeGreaterThan(40);
    await roll(first, 0);
    await roll(second, 1);
    const { length } = load.answers;
    await expect.poll(() => load.answers.length).toBeGreaterThan(length + 40);
    await load.stop();
    const failed = load.answers.filter((answer) => !/^(200|400) whole$/.test(answer));
    expect(failed).toEqual([]);
  } finally {
    proxy.kill("SIGKILL");
  }
});

/** Told to stop as a supervisor does; the next comes to the same place, and HAProxy takes it by itself. */
async function roll(product: StartedProduct, place: 0 | 1): Promise<void> {
  expect(await product.end("SIGTERM")).toBe(0);
  await (await startOne(place)).healthy();
}

/** The file of `deploy/`, with ports of its own and without the TLS that a test has no certificate for. */
function startProxy() {
  const changes: Array<[RegExp, string]> = [
    [/ {2}bind :80\n/, `  bind 127.0.0.1:${port}\n`],
    [/ {2}bind :443 .*\n/, ""],
    [/ {2}http-request redirect .*\n/, ""],
  ];
  let text = readFileSync("deploy/haproxy/haproxy.cfg", "utf8");
  for (const [what, by] of changes) {
    expect(text).toMatch(what);
    text = text.replace(what, by);
  }
  const file = path.join(folder, "haproxy.cfg");
  writeFileSync(file, text);
  return spawn(path.join(ensureProxies(), "haproxy"), ["-db", "-f", file], {
    stdio: "ignore",
    env: { ...process.env, WEB1: `127.0.0.1:${ports[0]}`, WEB2: `127.0.0.1:${ports[1]}` },
  });
}

/** A page, or with a body a form that is refused with a page: its status, and whether all of it came; else what went wrong. */
function ask(body: string | null, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const form = { origin: url, "content-type": "application/x-www-form-urlencoded" };
    const asking = request(
      `${url}/login`,
      {
        agent,
        method: body === null ? "GET" : "POST",
        headers: { accept: "text/html", ...(body !== null && form) },
        timeout: patienceMs,
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk) => {
          text += chunk;
        });
        answer.on("end", () =>
          resolve(`${answer.statusCode} ${text.endsWith("</html>") ? "whole" : text.slice(0, 80)}`),
        );
        answer.on("error", (error) => resolve(error.message));
      },
    );
    asking.on("timeout", () => asking.destroy(new Error("no answer")));
    asking.on("error", (error) => resolve(error.message));
    asking.end(body ?? undefined);
  });
}

/** Visitors who read and send forms in turn, on connections that they keep. */
function visit(visitors: number) {
  let isStopped = false;
  const answers: string[] = [];
  const all = Array.from({ length: visitors }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; !isStopped; turn += 1) {
      answers.push(await ask(turn % 4 === 0 ? "email=nobody&password=" : null, agent));
    }
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
