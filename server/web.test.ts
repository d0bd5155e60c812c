import { expect, test, vi } from "vitest";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";
import { barePage } from "./platform/http/bare-page.ts";

const product = await testApp();

function heavyForm(field: string): FormData {
  const form = new FormData();
  form.set(field, new File([new Uint8Array(300 * 1024)], "slip.jpg"));
  return form;
}

test.each([
  "/login",
  "/signup",
  "/forgotpassword",
  "/resetpassword",
  "/verify-email",
  "/login.data",
])("a stranger's heavy form to %s is refused unread, whatever kind of form it is", async (page) => {
  expect((await product.request(page, { form: heavyForm("email") })).status).toBe(413);
  const plain = { email: "a".repeat(300 * 1024) };
  expect((await product.request(page, { form: plain })).status).toBe(413);
});

test.each(["/account/deposit", "/account/deposit.data", "/account/deposit/draft"])(
  "a customer's slip passes to %s",
  async (page) => {
    const cookie = await signInAs(product, await createTestCustomer(product.db));
    const answer = await product.request(page, { form: heavyForm("slip"), cookie });
    expect(answer.status).not.toBe(413);
    expect(await answer.text()).toContain("This is not a JPEG, PNG, WebP, HEIC or PDF file");
  },
);

test("what fails before it comes to a page is told to the log alone, without the token in its address", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const form = { "List-Unsubscribe": "One-Click".repeat(50_000) };
  const answer = await product.request("/newsletter/unsubscribe?token=s3cret", { form });
  expect(answer.status).toBe(413);
  expect(await answer.text()).not.toContain("s3cret");
  expect(printed).not.toHaveBeenCalled();
  printed.mockRestore();
});

test("a signed-in page brings what its loaders gave, whole, under its own nonce, and asks for no more", async () => {
  const customer = await createTestCustomer(product.db, { firstName: "Zoë" });
  const page = await product.request("/account", { cookie: await signInAs(product, customer) });
  const html = await page.text();
  const nonce = /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy") ?? "")?.[1];
  const script = (call: string) =>
    html.match(
      new RegExp(`<script nonce="([^"]+)">[^<]*streamController\\.${call}\\(.*?</script>`),
    );
  expect(script("enqueue")?.[1]).toBe(nonce);
  expect(script("enqueue")?.[0]).toContain("Zoë");
  expect(script("close")?.[1]).toBe(nonce);
  expect(html).toMatch(/^<!DOCTYPE html><html/);
  expect(html).toMatch(/<\/html>$/);
});

test.each([
  ["/contact", "application/json"],
  ["/contact", "multipart/form-data"],
  ["/newsletter", "text/plain"],
  ["/login", "multipart/form-data; boundary=x"],
])("what is sent to %s as %s, and is no form, is refused as that", async (page, type) => {
  const form = { email: "a@example.com" };
  const answer = await product.request(page, { form, headers: { "content-type": type } });
  expect(answer.status).toBe(400);
});

test.each([
  ["JSON", "application/json"],
  ["half a form", "multipart/form-data; boundary=x"],
])(
  "%s that claims to carry files is no form either, for a stranger and for staff",
  async (_, type) => {
    const form = { resumedFile: "{}" };
    const headers = { "content-type": type };
    const login = await product.request("/login?resumedFile=1", { form, headers });
    expect(login.status).toBe(400);
    const cookie = await signInAs(product, await createTestOperator(product.db));
    const page = "/operator/adjustments/new?resumedFile=1";
    const staff = await product.request(page, { form, headers, cookie });
    expect(staff.status).toBeLessThan(500);
  },
);

test("a form of more fields than any page has is refused before it is taken apart", async () => {
  const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
  const form = new Response("email=&".repeat(30_000)).body ?? undefined;
  const answer = await product.request("/login", {
    form: form as ReadableStream,
    headers: urlencoded,
  });
  expect(answer.status).toBe(413);
  const parts = new FormData();
  for (let n = 0; n < 2001; n += 1) parts.append("email", "");
  expect((await product.request("/login", { form: parts })).status).toBe(413);
});

test("a body that announces no length is counted as it comes", async () => {
  let sent = 0;
  const form = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(Buffer.alloc(65_536, "a"));
    },
  });
  const answer = await product.request("/login", { form });
  expect(answer.status).toBe(413);
  expect(sent).toBeLessThan(2_000_000);
});

test("evidence of a count passes, larger than other forms", async () => {
  const cookie = await signInAs(product, await createTestOperator(product.db));
  const page = "/operator/reconciliation/new";
  const answer = await product.request(page, { form: heavyForm("evidence"), cookie });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("This is not a JPEG, PNG, WebP, HEIC or PDF file");
});

test("a browser that is refused before it comes to a page is told in a page, a script in a word", async () => {
  const heavy = { email: "a".repeat(300 * 1024) };
  const accept = "text/html,application/xhtml+xml;q=0.9";
  const page = await product.request("/login", { form: heavy, headers: { accept } });
  expect(page.status).toBe(413);
  expect(await page.text()).toContain("nothing was done");
  const word = await product.request("/login", { form: heavy, headers: { accept: "*/*" } });
  expect(await word.text()).toBe("Payload Too Large");
});

test("who asks for a file and gets none reads a page that says why, a script what it is told", async () => {
  const accept = "text/html,application/xhtml+xml;q=0.9";
  const missing = "/terms/terms-9.9.txt";
  const page = await product.request(missing, { headers: { accept } });
  expect(page.status).toBe(404);
  expect(await page.text()).toContain("Ohh!!");
  expect(await (await product.request(missing, { headers: { accept: "*/*" } })).text()).toBe(
    "null",
  );
  const cookie = await signInAs(product, await createTestOperator(product.db));
  const followed = { accept, "sec-fetch-site": "cross-site" };
  const file = await product.request("/operator/newsletter.csv", { cookie, headers: followed });
  expect(file.status).toBe(403);
  expect(await file.text()).toContain("Open it from here");
});

test("another site's form is refused, and the page says where this site is, if anybody said so", async () => {
  const origin = "https://elsewhere.example";
  const form = { email: "a@example.com" };
  const answer = await product.request("/login", { form, origin, accept: "text/html" });
  expect(answer.status).toBe(403);
  expect(await answer.text()).not.toContain("The site is at");
  expect(barePage(403, "https://mine.example.org")).toContain(
    "The site is at https://mine.example.org.",
  );
});

test("the captions of the tour are served as what they are", async () => {
  const { headers } = await product.request("/tour/tour.vtt");
  expect(headers.get("content-type")).toBe("text/vtt; charset=utf-8");
});

test("what a page's data are written in is said with them", async () => {
  const answer = await product.request("/login.data");
  expect(answer.headers.get("content-type")).toBe("text/x-script; charset=utf-8");
});

test("text says its charset, also where a route fails", async () => {
  const form = { purpose: "prove" };
  const answer = await product.request("/passkey/question", { form });
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; ?charset=utf-8$/i);
  const broken = { "content-type": "multipart/form-data; boundary=x" };
  const failed = await product.request("/passkey/question", {
    form: "x" as never,
    headers: broken,
  });
  expect(failed.status).toBe(400);
  expect(failed.headers.get("content-type")).toMatch(/^text\/plain; ?charset=utf-8$/i);
});

test.each([
  "Multipart/Form-Data; boundary=a",
  "multipart/form-data; boundary=b; boundary=a",
  "multipart/form-data; xboundary=b; boundary=a",
  'multipart/form-data; x="boundary=b"; boundary=a',
  "application/x-www-form-urlencoded, multipart/form-data; boundary=a",
])("many fields sent as %s are not taken apart", async (type) => {
  const part = '--a\r\ncontent-disposition: form-data; name="email"\r\n\r\n\r\n';
  const form = new Response(`${part.repeat(2_500)}--a--\r\n`).body as ReadableStream;
  const headers = { "content-type": type };
  const answer = await product.request("/login", { form, headers });
  expect(answer.status).toBe(type.startsWith("M") ? 413 : 400);
  expect(await answer.text()).toMatch(/^(?:Payload Too Large|Bad Request)$/);
});

test.each(["/receipt/SECRETTOKEN%", "/receipt/SECRETTOKEN%.data", "/account/SECRETTOKEN%E0%A4%A"])(
  "what cannot be decoded is no page, and nothing of it is printed: %s",
  async (path) => {
    const kinds = ["error", "warn", "log"] as const;
    const printed = kinds.map((kind) => vi.spyOn(console, kind).mockImplementation(() => {}));
    const answer = await product.request(path, { accept: "text/html" });
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("There is no page at this address");
  },
);

test("the way back after signing in is remembered only as long as addresses are", async () => {
  const back = async (path: string) => (await product.request(path)).headers.get("location");
  expect(await back("/account/deposit?coin=BTC")).toBe(
    "/login?next=%2Faccount%2Fdeposit%3Fcoin%3DBTC",
  );
  expect(await back(`/account/deposit?${"&".repeat(12_000)}`)).toBe(
    "/login?next=%2Faccount%2Fdeposit",
  );
  expect(await back(`/account/mining/${"a".repeat(12_000)}`)).toBe("/login");
});
