import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { buildWhenNeeded } from "../../scripts/build-pages.ts";
import { writeProxyFile } from "../../scripts/fleet/proxy-file.ts";
import { ensureProxies } from "../../scripts/programs/get-proxies.ts";
import { clientAddress } from "../../server/platform/http/client-address.ts";
import { freePort } from "../setup/free-port.ts";
import { patienceMs } from "../setup/slowness.ts";
import { StartedProduct } from "../setup/started-product.ts";

buildWhenNeeded();
const programs = ensureProxies();
const folder = mkdtempSync(path.join(tmpdir(), "assay-proxies-"));
const site = "https://mine.example.org";
const product = new StartedProduct(await freePort(), {
  DATA_DIR: path.join(folder, "data"),
  WEB_CONCURRENCY: "1",
  APP_URL: site,
  TRUSTED_PROXIES: "1",
  LOG_LEVEL: "info",
});
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode !== null || child.signalCode !== null) continue;
    // nginx ends its own worker only when it is asked; Caddy waits for connections that nobody uses any more.
    child.kill("SIGTERM");
    const patience = setTimeout(() => child.kill("SIGKILL"), 2_000);
    await gone;
    clearTimeout(patience);
  }
  await product.end("SIGTERM");
  rmSync(folder, { recursive: true });
});
await product.healthy();
const { host: upstream } = new URL(product.url);

/** A file of `deploy/` with what an operator puts in, without the TLS that a test has no certificate for. */
function written(file: string, changes: Array<[what: string | RegExp, by: string]>): string {
  let text = readFileSync(path.join("deploy", file), "utf8");
  for (const [what, by] of changes) {
    expect(text).toMatch(what);
    text = text.replaceAll(what as string, by);
  }
  const place = path.join(folder, path.basename(file));
  writeFileSync(place, text);
  return place;
}

async function start(
  program: string,
  args: string[],
  port: number,
  env: Record<string, string> = {},
): Promise<string> {
  const child = spawn(path.join(programs, program), args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  children.push(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      said += text;
    });
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + patienceMs;
  while (!(await fetch(url, { headers: { host: "mine.example.org" } }).catch(() => null))?.ok) {
    if (performance.now() > deadline || child.exitCode !== null)
      throw new Error(`${program}: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return url;
}

const starts = {
  nginx: async (port: number, to: string) => {
    const included = written("nginx/assay.conf", [
      ["127.0.0.1:3000", to],
      ["listen 80;", `listen 127.0.0.1:${await freePort()};`],
      ["listen 443 ssl http2;", `listen 127.0.0.1:${port};`],
      [/ {2}ssl_.*\n/g, ""],
    ]);
    const place = path.join(folder, "nginx");
    mkdirSync(path.join(place, "logs"), { recursive: true });
    const whole = path.join(place, "nginx.conf");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (of) => `${of}_temp_path ${place}/${of};`,
    );
    writeFileSync(
      whole,
      `user root; daemon off; pid ${place}/pid; error_log stderr; events {} http { access_log off; ${temporary.join(" ")} include ${included}; }`,
    );
    return start("nginx", ["-c", whole, "-p", place], port);
  },
  HAProxy: async (port: number, to: string) => {
    const file = writeProxyFile("haproxy.cfg", { folder, port });
    return start("haproxy", ["-db", "-f", file], port, { WEB1: to });
  },
  Caddy: async (port: number, to: string) => {
    const file = written("caddy/Caddyfile", [
      [
        "mine.example.org {",
        `{\n\tadmin off\n\tauto_https off\n}\nhttp://127.0.0.1:${port}, http://mine.example.org:${port} {\n\tbind 127.0.0.1`,
      ],
      ["127.0.0.1:3000", to],
    ]);
    return start("caddy", ["run", "--config", file, "--adapter", "caddyfile"], port);
  },
};

test.each(Object.entries(starts))(
  "behind %s pages are read, forms are taken, slips fit, and prices stream",
  async (_, startProxy) => {
    const url = await startProxy(await freePort(), upstream);
    const asked = (
      address: string,
      init: RequestInit & { headers?: Record<string, string> } = {},
    ) =>
      fetch(`${url}${address}`, {
        redirect: "manual",
        ...init,
        headers: { host: "mine.example.org", accept: "text/html", ...init.headers },
      });
    expect(await (await asked("/faq")).text()).toContain("Questions");
    const form = { origin: site, "content-type": "application/x-www-form-urlencoded" };
    const signedIn = await asked("/login", {
      method: "POST",
      headers: form,
      body: "email=ada%40example.com&password=wrong-password",
    });
    expect(signedIn.status).toBe(400);
    // By the page of the form: what stands before it answers in a word.
    expect(await signedIn.text()).toContain('action="/login"');
    const foreign = await asked("/login", {
      method: "POST",
      headers: { ...form, origin: "https://other.example" },
      body: "email=a",
    });
    expect(foreign.status).toBe(403);
    // As large as a slip may be: what the product says of it comes, and nothing that a proxy says of its size.
    const slip = new FormData();
    slip.set("slip", new Blob([new Uint8Array(10 * 1024 * 1024)]), "slip.png");
    const send = async (to: string) =>
      (
        await fetch(`${to}/account/deposit`, {
          method: "POST",
          headers: { origin: site },
          body: slip,
          redirect: "manual",
        })
      ).status;
    const [through, direct] = [await send(url), await send(product.url)];
    expect(through).toBe(direct);
    await expect(firstPrice(url)).resolves.toMatch(/^HTTP 200/);
  },
);

test.each(Object.entries(starts))(
  "behind %s nobody chooses the address that they are counted by",
  async (_, startProxy) => {
    const told: Array<string | undefined> = [];
    const listener = createServer(({ url, headers }, answer) => {
      if (url === "/asked") told.push(headers["x-forwarded-for"] as string | undefined);
      answer.end("ok");
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const { port } = listener.address() as AddressInfo;
    const url = await startProxy(await freePort(), `127.0.0.1:${port}`);
    const claims = { "x-forwarded-for": "203.0.113.77", forwarded: "for=203.0.113.77" };
    await fetch(`${url}/asked`, { headers: { host: "mine.example.org", ...claims } });
    const seen = { socketAddress: "127.0.0.1", forwardedFor: told[0], trustedProxies: 1 };
    expect(clientAddress(seen)).toBe("127.0.0.1");
    expect(told).toHaveLength(1);
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  },
);

test("an idle connection is kept longer than by any of them: the next request does not meet its end", async () => {
  const keeps = (await fetch(`${product.url}/faq`)).headers.get("keep-alive");
  expect(keeps).toBe("timeout=75");
});

test("a script that a version does not have is no page, and no cache keeps that", async () => {
  const answer = await fetch(`${product.url}/assets/of-another-version.js`);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("content-type")).toContain("text/plain");
});

test("behind HAProxy a product still answers where none is ready", async () => {
  let checks = 0;
  const listener = createServer(({ url }, answer) => {
    if (url === "/readyz") checks += 1;
    answer.writeHead(url === "/readyz" ? 503 : 200).end("kept");
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port: to } = listener.address() as AddressInfo;
  const port = await freePort();
  const file = writeProxyFile("haproxy.cfg", { folder, port });
  const env = { WEB1: `127.0.0.1:${to}`, WEB2: `127.0.0.1:${await freePort()}` };
  const url = await start("haproxy", ["-db", "-f", file], port, env);
  // By then HAProxy knows that it is not ready.
  await expect.poll(() => checks).toBeGreaterThan(4);
  expect(await (await fetch(`${url}/status`)).text()).toBe("kept");
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
});

test("behind HAProxy a page finds its scripts while one version takes another's place", async () => {
  const versions = await Promise.all(
    ["before", "next"].map(async (version) => {
      const server = createServer(({ url }, answer) => {
        const has = url === "/" || url === "/readyz" || url === `/assets/${version}.js`;
        answer.writeHead(has ? 200 : 404).end(version);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { version, server, port: (server.address() as AddressInfo).port };
    }),
  );
  const port = await freePort();
  const file = writeProxyFile("haproxy.cfg", { folder, port });
  const [web1, web2] = versions.map((each) => `127.0.0.1:${each.port}`);
  const url = await start("haproxy", ["-db", "-f", file], port, {
    WEB1: web1 ?? "",
    WEB2: web2 ?? "",
  });
  const asked = async (name: string) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await fetch(`${url}/assets/${name}.js`);
        return `${answer.status} ${await answer.text()}`;
      }),
    );
    return [...new Set(answers)];
  };
  for (const { version } of versions) expect(await asked(version)).toEqual([`200 ${version}`]);
  const [missing] = await asked("neither");
  expect(missing).toMatch(/^404/);
  for (const { server } of versions) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** The stream's head comes while it is open. */
function firstPrice(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = get(
      `${url}/events/prices`,
      { headers: { host: "mine.example.org" } },
      (answer) => {
        resolve(`HTTP ${answer.statusCode}`);
        asking.destroy();
      },
    );
    asking.on("error", reject);
    asking.setTimeout(patienceMs, () => asking.destroy(new Error("no answer")));
  });
}
