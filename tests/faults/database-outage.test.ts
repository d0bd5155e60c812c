import { afterAll, expect, test } from "vitest";
import { sql } from "#server/platform/sql.ts";
import { createTestCustomer, testPassword } from "../factories/customer.ts";
import { startTcpProxy, type TcpProxy } from "../fakes/tcp-proxy.ts";
import { signInAs } from "../setup/sign-in-as.ts";
import { within } from "../setup/slowness.ts";
import { testApp } from "../setup/test-app.ts";

const proxies: TcpProxy[] = [];
const product = await testApp({}, async (applicationUrl) => {
  const url = new URL(applicationUrl);
  const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  proxies.push(proxy);
  url.port = String(proxy.port);
  return url.toString();
});
const [line] = proxies;
if (!line) throw new Error("there is a proxy");
afterAll(() => line.stop());
const customer = await createTestCustomer(product.db);
const cookie = await signInAs(product, customer);

/** The status of a signed-in page, and how long it took in milliseconds. */
async function dashboard() {
  const started = performance.now();
  const { status, headers } = await product.request("/account", { cookie });
  return { status, retryAfter: headers.get("retry-after"), tookMs: performance.now() - started };
}

/** What readiness says of the database, and with which status. It is asked once a second. */
async function readiness() {
  const answer = await product.request("/readyz");
  return [answer.status, ((await answer.json()) as { database: string }).database];
}

const publicPages = ["/", "/login", "/signup", "/terms"];

test("answers 503 at once while the database refuses, serves public pages, and recovers by itself", async () => {
  expect((await dashboard()).status).toBe(200);
  // As the product does when it starts: server/cached-pages.ts.
  for (const page of publicPages) await product.request(page);
  line.set("cut");
  const answers = await Promise.all(Array.from({ length: 20 }, dashboard));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(503));
  expect(answers[0]?.retryAfter).toBe("5");
  expect((await product.request("/readyz")).status).toBe(503);
  expect((await product.request("/livez")).status).toBe(200);
  for (const page of publicPages) {
    expect((await product.request(page)).status, page).toBe(200);
  }
  line.set("open");
  expect((await dashboard()).status).toBe(200);
  await expect.poll(readiness).toEqual([200, "ok"]);
});

test("who signs in while the database is away reads that, and not that the password was wrong", async () => {
  const form = { email: customer.email, password: testPassword };
  const send = (more = {}) => product.request("/login", { form, ...more });
  line.set("cut");
  const answers = await Promise.all([send(), send({ accept: "application/json" })]);
  line.set("open");
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    const words = await answer.text();
    expect(words).toContain("Login failed");
    expect(words).toContain("This has nothing to do with what you typed");
    expect(words).not.toContain("Check your e-mail address and password");
  }
  await expect.poll(async () => (await send()).status).toBe(302);
});

test("pages are read where the database takes no writes", async () => {
  // One connection, from before: what is set holds for those that begin later.
  const owner = await product.owner.connect();
  const { rows } = await owner.query("select current_database() as name");
  const setReadOnly = async (to: "on" | "off") => {
    await owner.query(`alter database "${rows[0].name}" set default_transaction_read_only = ${to}`);
    line.set("cut");
    await dashboard();
    line.set("open");
    await expect
      .poll(async () => {
        const shown = await product.app.db.execute(sql`show default_transaction_read_only`);
        return shown.rows;
      })
      .toEqual([{ default_transaction_read_only: to }]);
  };
  const lastUsed = async () => {
    const ofCustomer = "select last_used_at from sessions where user_id = $1";
    return (await owner.query(ofCustomer, [customer.id])).rows;
  };
  try {
    await owner.query("update sessions set last_used_at = now() - interval '2 minutes'");
    const before = await lastUsed();
    await setReadOnly("on");
    expect((await dashboard()).status).toBe(200);
    expect(await lastUsed()).toEqual(before);
    await setReadOnly("off");
    expect((await dashboard()).status).toBe(200);
    expect(await lastUsed()).not.toEqual(before);
  } finally {
    await owner.query(`alter database "${rows[0].name}" reset default_transaction_read_only`);
    owner.release();
  }
});

test("requests end while everything that is sent is swallowed, readiness says so, and work goes on when it flows again", async () => {
  await expect.poll(dashboard).toMatchObject({ status: 200 });
  line.set("hole");
  try {
    await expect.poll(readiness).toEqual([503, "silent"]);
    const answers = await Promise.all(Array.from({ length: 20 }, dashboard));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(503));
    expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(within(25_000));
  } finally {
    line.set("open");
  }
  expect((await dashboard()).status).toBe(200);
  await expect.poll(readiness).toEqual([200, "ok"]);
});

test("gives up within its timeout when the database swallows everything", async () => {
  line.set("cut");
  await dashboard();
  line.set("hole");
  const answer = await dashboard();
  expect(answer.status).toBe(503);
  expect(answer.tookMs).toBeLessThan(within(12_000));
  line.set("open");
  await expect.poll(async () => (await dashboard()).status).toBe(200);
});

test("answers 503 when every connection is taken, and serves again when one is free", async () => {
  const taken = await Promise.all(
    Array.from({ length: 16 }, () => product.app.db.$client.connect()),
  );
  expect((await dashboard()).status).toBe(503);
  for (const connection of taken) connection.release();
  expect((await dashboard()).status).toBe(200);
});
