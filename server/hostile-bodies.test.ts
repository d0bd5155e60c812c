import { connect, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { builtPages } from "../scripts/built-pages.ts";
import { startWeb } from "./web.ts";

const product = await testApp();
const { config } = product.app;
const web = await startWeb({ ...product.app, config: { ...config, port: 0 } }, await builtPages());
const url = `http://127.0.0.1:${web.port}`;
const open: Socket[] = [];
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await web.stop();
});

function post(path: string, body: BodyInit, more: Record<string, string> = {}): Promise<Response> {
  const headers = { origin: url, ...more };
  return fetch(url + path, { method: "POST", body, headers, redirect: "manual" });
}

const urlencoded = { "content-type": "application/x-www-form-urlencoded" };

test.each([
  ["the 120,000,000th of a list", "email[120000000]=1"],
  ["the last of a list", "email[4294967294]=1"],
  ["beside what is asked for", "email=a%40example.com&password=x&email[4294967294]=1"],
  ["a path of 20,000 steps", `a${".b".repeat(20_000)}=1`],
  ["lists in lists", `a${"[]".repeat(20_000)}=1`],
  [
    "an instruction to the library",
    `__intent__=${encodeURIComponent('{"type":"update","payload":{"name":"email[4294967294]","value":"1"}}')}`,
  ],
  ["a state of the library", "__state__=%7B"],
  ["what every object has", "toString=1&constructor=2&__proto__=3&valueOf=4"],
  ["one field, often", "a=&".repeat(80_000)],
])("%s, from a stranger, is answered, and the product lives", async (_, body) => {
  const before = process.memoryUsage().rss;
  const answer = await post("/login", body, urlencoded);
  expect([400, 413]).toContain(answer.status);
  expect(await answer.text()).toMatch(/<h1|Payload Too Large/);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
});

/** Begins to send a slip, and stops in the middle of it. */
function beginUpload(cookie: string): void {
  const start =
    '--B\r\ncontent-disposition: form-data; name="slip"; filename="x.jpg"\r\n\r\nthe beginning';
  const socket = connect(web.port, "127.0.0.1");
  open.push(socket);
  socket.on("error", () => {});
  socket.write(
    [
      "POST /account/deposit/draft HTTP/1.1",
      `Host: 127.0.0.1:${web.port}`,
      `Origin: ${url}`,
      `Cookie: ${cookie}`,
      "Content-Type: multipart/form-data; boundary=B",
      "Content-Length: 5000000",
      "",
      start,
    ].join("\r\n"),
  );
}

function slipForm(): FormData {
  const form = new FormData();
  form.set("amount", "125.50");
  form.set("slip", new File(["no picture"], "slip.jpg"));
  return form;
}

test("an account with uploads under way is told to wait and keeps what was typed; another's passes", async () => {
  const ada = await signInAs(product, await createTestCustomer(product.db));
  const ben = await signInAs(product, await createTestCustomer(product.db));
  for (let n = 0; n < 12; n += 1) beginUpload(ada);
  const passed = await post("/account/deposit", slipForm(), { cookie: ben });
  expect(await passed.text()).toContain("This is not a JPEG, PNG, WebP, HEIC or PDF file");
  let page = "";
  const send = async () => {
    const answer = await post("/account/deposit", slipForm(), { cookie: ada });
    page = await answer.text();
    return answer.status;
  };
  await expect.poll(send).toBe(503);
  expect(page).toContain("We are receiving too many files right now");
  expect(page).toContain('value="125.50"');
});

test("strangers whose forms never end fill a room, not the memory, and keep nobody from signing in", async () => {
  const refused: string[] = [];
  const form = "email=".padEnd(250_000, "a");
  // 50 MB, of which 32 MB have room.
  for (let n = 0; n < 200; n += 1) {
    const socket = connect(web.port, "127.0.0.1");
    open.push(socket);
    socket.on("error", () => {});
    socket.on("data", (data) => refused.push(`${data}`.split("\r\n", 1)[0] ?? ""));
    const type = urlencoded["content-type"];
    socket.write(
      `POST /login HTTP/1.1\r\nHost: 127.0.0.1:${web.port}\r\nOrigin: ${url}\r\nContent-Type: ${type}\r\nContent-Length: 260000\r\n\r\n${form}`,
    );
  }
  await expect.poll(() => refused.length, { timeout: 20_000 }).toBeGreaterThan(60);
  expect(new Set(refused)).toEqual(new Set(["HTTP/1.1 503 Service Unavailable"]));
  const wrong = await post("/login", "email=a%40example.com&password=wrong", urlencoded);
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("<h1");
});
