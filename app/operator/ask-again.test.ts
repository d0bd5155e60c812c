import { expect, test } from "vitest";
import { resumedFile } from "#core/resumed-form.ts";
import { resumeForm } from "#server/identity/step-up/resume-form.ts";
import { restoreFormFiles } from "#server/platform/http/restore-form-files.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { nextCode } from "#tests/setup/authenticator-apps.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { cookiesOf, testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db, owner, request } = product;

/** Signs an owner in, and lets eleven minutes pass. */
async function signInLongAgo(passed = "11 minutes"): Promise<{ cookie: string; email: string }> {
  const grace = await createTestOperator(db);
  const cookie = await signInAs(product, grace);
  await owner.query("update sessions set proved_at = now() - $1::interval where user_id = $2", [
    passed,
    grace.id,
  ]);
  return { cookie, email: grace.email };
}

/** What the form of an answer would send. */
function hiddenFields(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const plain = (text: string) => text.replaceAll("&#x27;", "'").replaceAll("&amp;", "&");
  return Object.fromEntries(
    [...inputs].map(([, name = "", value = ""]) => [name, plain(value)] as const),
  );
}

async function countActs(customerId: string): Promise<number> {
  const { rows } = await owner.query(
    "select count(*)::int as acts from audit_log where customer_id = $1",
    [customerId],
  );
  return rows[0].acts;
}

test("a sensitive form that comes late is asked for the factor, loses nothing, and is carried out once", async () => {
  const customer = await createTestCustomer(db);
  const { cookie, email } = await signInLongAgo();
  const path = `/operator/customers/${customer.id}/access`;
  const typed = { intent: "freeze", reason: "A sign-in that's strange\nand late & odd" };
  const asked = await request(path, { cookie, form: typed });
  expect(asked.status).toBe(403);
  const page = await asked.text();
  expect(page).toContain("Is it you?");
  expect(page).toContain(`action="${path}"`);
  expect(hiddenFields(page)).toEqual(typed);
  expect(await countActs(customer.id)).toBe(0);

  const wrong = await request(path, { cookie, form: { ...typed, confirmCode: "000000" } });
  expect(wrong.status).toBe(403);
  const again = await wrong.text();
  expect(again).toContain("This code is not right");
  expect(hiddenFields(again)).toEqual(typed);
  expect(await countActs(customer.id)).toBe(0);

  const code = nextCode(email);
  const done = await request(path, { cookie, form: { ...typed, confirmCode: code } });
  expect(done.headers.get("location")).toBe(`/operator/customers/${customer.id}`);
  expect(await countActs(customer.id)).toBe(1);
  // The session has a new token; the old one is worth nothing, and so is the code.
  const old = await request(path, { cookie, form: { ...typed, confirmCode: code } });
  expect(old.status).not.toBe(200);
  expect(await countActs(customer.id)).toBe(1);
  const fresh = cookiesOf(done);
  const { freezeId = "" } = hiddenFields(await (await request(path, { cookie: fresh })).text());
  const open = { intent: "unfreeze", reason: "He called", freezeId };
  expect((await request(path, { cookie: fresh, form: open })).status).toBe(302);
  expect(await countActs(customer.id)).toBe(2);
});

test("a factor that was shown before a clock was set back is asked for again", async () => {
  const customer = await createTestCustomer(db);
  const path = `/operator/customers/${customer.id}/access`;
  const form = { intent: "freeze", reason: "A strange sign-in" };
  for (const [passed, status, acts] of [
    ["-2 hours", 403, 0],
    ["-2 minutes", 403, 0],
    // Clocks of two machines may differ by so much.
    ["-30 seconds", 302, 1],
  ] as const) {
    const { cookie } = await signInLongAgo(passed);
    expect((await request(path, { cookie, form })).status, passed).toBe(status);
    expect(await countActs(customer.id), passed).toBe(acts);
  }
});

test("of an upload without end no more is read than a file may have, and what was typed comes back", async () => {
  const { cookie } = await signInLongAgo();
  let sent = 0;
  const start = Buffer.from(
    [
      '--B\r\ncontent-disposition: form-data; name="reason"\r\n\r\nTyped for half an hour',
      '\r\n--B\r\ncontent-disposition: form-data; name="evidence"; filename="x.jpg"\r\n\r\n',
    ].join(""),
  );
  const form = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent > 60_000_000) return controller.close();
      controller.enqueue(sent === 0 ? start : Buffer.alloc(65_536));
      sent += 65_536;
    },
  });
  const headers = { "content-type": "multipart/form-data; boundary=B" };
  const asked = await request("/operator/adjustments/new", { cookie, form, headers });
  expect(asked.status).toBe(403);
  expect(hiddenFields(await asked.text())).toEqual({ reason: "Typed for half an hour" });
  expect(sent).toBeLessThan(11_000_000);
});

test("a script's form is asked in the same way", async () => {
  const customer = await createTestCustomer(db);
  const { cookie } = await signInLongAgo();
  const form = { intent: "freeze", reason: "Strange" };
  const path = `/operator/customers/${customer.id}/access`;
  const asked = await request(`${path}.data`, { cookie, form });
  expect(asked.status).toBe(403);
  const answer = await asked.text();
  expect(answer).toContain(path);
  expect(answer).not.toContain(`${path}.data`);
  expect(await countActs(customer.id)).toBe(0);
});

test("what is not sensitive is not asked about", async () => {
  const customer = await createTestCustomer(db);
  const { cookie } = await signInLongAgo();
  const form = { intent: "message", text: "notice: all is well", expires: "" };
  const answer = await request(`/operator/customers/${customer.id}`, { cookie, form });
  expect(answer.status).not.toBe(403);
});

test("a file to take away is asked about first, and then comes", async () => {
  const { cookie, email } = await signInLongAgo();
  const asked = await request("/operator/audit.csv?act=deposits", { cookie });
  const confirm = asked.headers.get("location") ?? "";
  expect(confirm).toContain("/operator/security/confirm?next=");
  const form = { code: nextCode(email) };
  const confirmed = await request(confirm, { cookie, form });
  const fresh = cookiesOf(confirmed);
  const page = await request(confirmed.headers.get("location") ?? "", { cookie: fresh });
  expect(await page.text()).toContain("0;url=/operator/audit.csv?act=deposits");
  const file = await request("/operator/audit.csv?act=deposits", { cookie: fresh });
  expect(file.headers.get("content-type")).toContain("text/csv");
});

test("who was signed out because nobody used the session is told so, led back, and keeps the form", async () => {
  const customer = await createTestCustomer(db);
  const { cookie } = await signInLongAgo();
  await owner.query("update sessions set last_used_at = now() - interval '31 minutes'");
  const path = `/operator/customers/${customer.id}/access`;
  const login = `/login?next=${encodeURIComponent(path)}`;
  const away = await request(path, { cookie });
  expect(away.headers.get("location")).toBe(login);
  const why = "We signed you out because you were inactive.";
  expect(await (await request(login, { cookie })).text()).toContain(why);
  expect(await (await request(login)).text()).not.toContain(why);

  const typed = { intent: "freeze", reason: "Typed for half an hour" };
  const held = await request(path, { cookie, form: typed });
  expect(held.status).toBe(401);
  const page = await held.text();
  expect(page).toContain(why);
  expect(page).toContain(login.replaceAll("&", "&amp;"));
  expect(hiddenFields(page)).toEqual(typed);
  expect(await countActs(customer.id)).toBe(0);
  // Signed in again, in the same browser: the page's button sends it.
  const again = await signInAs(product, await createTestOperator(db));
  expect((await request(path, { cookie: again, form: hiddenFields(page) })).status).toBe(302);
  expect(await countActs(customer.id)).toBe(1);
});

test("a stranger's form, or one with passwords, brings nothing back that was typed", async () => {
  const form = { current: "correct horse", password: "a new and long one", confirmPassword: "x" };
  const stranger = await request("/account/security/password", { form });
  expect(stranger.headers.get("location")).toContain("/login?next=");
  const cookie = await signInAs(product, await createTestCustomer(db));
  await request("/signout", { cookie, form: {} });
  const held = await request("/account/security/password", { cookie, form });
  expect(held.status).toBe(401);
  const page = await held.text();
  for (const typed of Object.values(form).slice(0, 2)) expect(page).not.toContain(typed);
  expect(page).toContain("Your session has expired, or was ended on another device");
});

test("files come along, but for those that are too large; passwords are typed again", async () => {
  const bytes = new Uint8Array([0, 255, 10, 13, 0]);
  const form = new FormData();
  form.append("note", "one");
  form.append("note", "two");
  form.append("password", "correct horse");
  form.append("statement", new File([bytes], "May 'n June.csv", { type: "text/csv" }));
  form.append("scan", new File([new Uint8Array(300_000)], "scan.pdf"));
  form.append("empty", new File([], ""));
  form.append("confirmCode", "123456");
  const carried = await resumeForm(new Request("https://x.example/operator/a?index"), form);
  expect(carried).toMatchObject({
    action: `/operator/a?index=&${resumedFile}=1`,
    fields: [
      ["note", "one"],
      ["note", "two"],
    ],
    passwords: ["password"],
    tooLarge: [{ field: "scan", name: "scan.pdf" }],
  });
  const sent = new FormData();
  for (const [name, value] of carried.fields) sent.append(name, value);
  for (const file of carried.files) sent.append(resumedFile, JSON.stringify(file));
  sent.append(resumedFile, "not what a page writes");
  const request = new Request("https://x.example/", { method: "POST", body: sent });
  const restored = await (await restoreFormFiles(request)).formData();
  const file = restored.get("statement") as File;
  expect([file.name, file.type]).toEqual(["May 'n June.csv", "text/csv"]);
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  expect(restored.getAll("note")).toEqual(["one", "two"]);
  expect(restored.has(resumedFile)).toBe(false);
});

test("a page that is left open and reads itself again keeps no session alive", async () => {
  const grace = await createTestOperator(db);
  const cookie = await signInAs(product, grace);
  const idleFor = async () => {
    const { rows } = await owner.query(
      "select extract(epoch from now() - last_used_at)::int as seconds from sessions where user_id = $1",
      [grace.id],
    );
    return rows[0].seconds;
  };
  await owner.query(
    "update sessions set last_used_at = now() - interval '10 minutes' where user_id = $1",
    [grace.id],
  );
  const read = (path: string, from: string) =>
    request(`${path}.data`, { cookie, headers: { referer: product.app.config.appUrl + from } });
  for (const page of ["/operator", "/operator/deposits", "/operator/reconciliation"]) {
    expect((await read(page, page)).status, page).toBe(200);
    expect(await idleFor(), page).toBeGreaterThanOrEqual(600);
  }
  expect((await read("/operator/deposits", "/operator")).status).toBe(200);
  expect(await idleFor()).toBeLessThan(60);
});
