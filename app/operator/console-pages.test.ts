import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { takeBackMistake } from "#server/deposits/payments/take-back-credit.ts";
import { enqueue } from "#server/platform/jobs/jobs.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, randomTxid, uniquePicture } from "#tests/factories/deposit.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { cookiesOf, testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const alan = await createTestOperator(db, { firstName: "Alan", lastName: "Turing" });
const cookie = await signInAs(product, grace);
const alansCookie = await signInAs(product, alan);
const ada = await createTestCustomer(db, { firstName: "Ada", lastName: "Lovelace" });
const adasCookie = await signInAs(product, ada);

type Deposit = Partial<Parameters<typeof createTestDeposit>[1]>;
const declare = (wanted: Deposit = {}) => createTestDeposit(app, { customerId: ada.id, ...wanted });
const caseOf = (depositId: string) => `/operator/deposits/${depositId}`;

async function read(path: string, who = cookie) {
  const answer = await product.request(path, { cookie: who });
  return { status: answer.status, html: plain(await answer.text()), headers: answer.headers };
}

async function send(path: string, form: Record<string, string>, who = cookie) {
  const answer = await product.request(path, { cookie: who, form });
  const location = answer.headers.get("location");
  return { status: answer.status, location, html: plain(await answer.text()), answer };
}

/** A page as it is read: without what React and the data behind it add. */
function plain(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

/** The mark of what the page shows, which its form sends along. */
const markIn = (html: string) => /name="seen" value="([^"]+)"/.exec(html)?.[1] ?? "";

async function sendMessage(form: Record<string, string>) {
  const path = `/operator/customers/${ada.id}`;
  return send(path, { intent: "message", seen: markIn((await read(path)).html), ...form });
}

async function stateOf(depositId: string): Promise<string> {
  const { rows } = await owner.query("select state from deposits where id = $1", [depositId]);
  return rows[0].state;
}

async function decideAll(): Promise<void> {
  const { rows } = await owner.query("select id from deposits where state = 'pending'");
  for (const { id } of rows) await send(caseOf(id), { intent: "reject", reason: "Cleared away." });
}

test("the queue shows who waits, oldest first, and marks a slip that was used before", async () => {
  await decideAll();
  const bob = await createTestCustomer(db, { firstName: "Bob", lastName: "Builder" });
  const slip = await uniquePicture();
  const first = await declare({
    now: new Date("2026-11-01T00:00:00Z"),
    claimedUsdCents: 12_345n,
    slip,
  });
  const second = await createTestDeposit(app, { customerId: bob.id, slip });
  const { html } = await read("/operator/deposits");
  expect(html.indexOf("Ada Lovelace")).toBeLessThan(html.indexOf("Bob Builder"));
  expect(html).toContain("$123.45");
  expect(html.match(/Same file used/g)).toHaveLength(2);
  const { html: page } = await read(caseOf(second.depositId));
  expect(page).toContain(`href="${caseOf(first.depositId)}"`);
  expect(page).toContain("another customer");
});

test("an approval is shown before it is posted, and leads to the next case", async () => {
  await decideAll();
  const { depositId } = await declare({ claimedUsdCents: 50_000n });
  const next = await declare();
  const typed = { quantity: "0.0025", txid: randomTxid("Bitcoin").toUpperCase(), usd: "$499.99" };
  const preview = await send(caseOf(depositId), { intent: "preview", ...typed });
  expect(preview.status).toBe(200);
  expect(preview.html).toContain("What will be posted");
  expect(preview.html).toContain("corrected from");
  expect(preview.html).toContain('value="250000"');
  expect(await stateOf(depositId)).toBe("pending");
  const posted = await send(caseOf(depositId), { intent: "approve", ...typed });
  expect(posted).toMatchObject({ status: 302, location: caseOf(next.depositId) });
  expect(await stateOf(depositId)).toBe("approved");
  const after = await product.request(posted.location ?? "", {
    cookie: `${cookie}; ${cookiesOf(posted.answer)}`,
  });
  expect(await after.text()).toContain("The deposit is approved and credited");
});

test("what one person may not approve alone is proposed, and a colleague confirms or declines it on its page", async () => {
  await decideAll();
  const { depositId } = await declare();
  const path = caseOf(depositId);
  const typed = { quantity: "0.5", txid: randomTxid("Bitcoin") };
  const preview = await send(path, { intent: "preview", ...typed });
  expect(preview.html).toContain("A colleague confirms this one");
  expect(preview.html).toContain("Propose it");
  const idOf = (html: string) => /name="approvalId" value="([^"]+)"/.exec(html)?.[1] ?? "";
  for (const intent of ["decline-approval", "confirm-approval"]) {
    await send(path, { intent: "approve", ...typed });
    expect(await stateOf(depositId)).toBe("pending");
    const own = (await read(path)).html;
    expect(own).toContain("You proposed this, so a colleague decides.");
    expect(own).not.toContain("Reject and tell the customer");
    const approvalId = idOf(own);
    const alone = await send(path, { intent: "confirm-approval", approvalId });
    expect(alone.html).toContain("You proposed this, so a colleague confirms it.");
    const late = await send(path, { intent: "reject", reason: "Nothing arrived." }, alansCookie);
    expect([late.status, late.html]).toEqual([
      409,
      expect.stringContaining("Its approval is proposed already"),
    ]);
    expect((await read("/operator/deposits", alansCookie)).html).toContain("Waits for a colleague");
    expect((await read(path, alansCookie)).html).toContain(typed.txid);
    expect((await send(path, { intent, approvalId }, alansCookie)).status).toBe(302);
  }
  expect(await stateOf(depositId)).toBe("approved");
  expect((await read(path)).html).toContain("Two people approve it");
});

test("the last decision leads back to the queue, which then says that nothing waits", async () => {
  await decideAll();
  const { depositId } = await declare();
  const { location } = await send(caseOf(depositId), { intent: "reject", reason: "No payment." });
  expect(location).toBe("/operator/deposits");
  expect((await read("/operator/deposits")).html).toContain("Nothing waits");
});

test("what was typed survives an error and a change of mind", async () => {
  const { depositId } = await declare();
  const wrong = { quantity: "0.123456789", txid: "not a txid", outputIndex: "-1", usd: "a lot" };
  for (const intent of ["preview", "approve"]) {
    const { status, html } = await send(caseOf(depositId), { intent, ...wrong });
    expect(status).toBe(400);
    for (const text of Object.values(wrong)) expect(html).toContain(`value="${text}"`);
    expect(html).toContain("with at most 8 decimals");
    expect(html).toContain("64 hexadecimal digits");
  }
  const right = { quantity: "0.5", txid: randomTxid("Bitcoin"), outputIndex: "3", usd: "" };
  const { html } = await send(caseOf(depositId), { intent: "change", ...right });
  expect(html).toContain('value="0.5"');
  expect(html).toContain(`value="${right.txid}"`);
  const { html: unsaid } = await send(caseOf(depositId), { intent: "reject", reason: "   " });
  expect(unsaid).toContain("Write the reason that the customer reads");
  expect(await stateOf(depositId)).toBe("pending");
});

test.each([
  ["Bitcoin", "0.123456789", `0x${"a".repeat(64)}`],
  ["Ethereum", "0.1234567890123456789", "a".repeat(64)],
  ["USDT", "1.1234567", "a".repeat(64)],
] as const)(
  "a %s deposit takes its own coin's places and transaction ids only",
  async (method, quantity, txid) => {
    const { depositId } = await declare({ method });
    const { status, html } = await send(caseOf(depositId), { intent: "preview", quantity, txid });
    expect(status).toBe(400);
    expect(html).toContain("decimals");
    expect(html).toContain("A transaction id on");
  },
);

test("a payment that was credited already is refused before and while it is posted", async () => {
  const first = await declare({ approvedBy: grace, quantityUnits: 100_000n });
  const { depositId } = await declare();
  for (const intent of ["preview", "approve"]) {
    const form = { intent, quantity: "0.1", txid: first.txid };
    const { status, html } = await send(caseOf(depositId), form);
    expect(status).toBe(400);
    expect(html).toContain("credited to another deposit already");
  }
});

test("who comes second sees who decided what, and posts nothing", async () => {
  const { depositId } = await declare();
  await send(caseOf(depositId), { intent: "reject", reason: "Nothing has arrived yet." });
  const late = { intent: "approve", quantity: "1", txid: randomTxid("Bitcoin") };
  const { status, html } = await send(caseOf(depositId), late, alansCookie);
  expect(status).toBe(409);
  for (const said of ["This is decided already", "Grace Hopper", "Nothing has arrived yet."]) {
    expect(html).toContain(said);
  }
  expect(await stateOf(depositId)).toBe("rejected");
});

test("a mistaken approval is proposed on its page, and a colleague confirms it there", async () => {
  const { depositId } = await declare({ approvedBy: grace, quantityUnits: 100_000n });
  const path = caseOf(depositId);
  const empty = await send(path, { intent: "propose-resolution", mistake: " " });
  expect([empty.status, empty.html]).toEqual([400, expect.stringContaining("write why")]);
  const mistake = "It was 0.0065 BTC.";
  expect((await send(path, { intent: "propose-resolution", mistake })).location).toBe(path);
  const { html } = await read(path, alansCookie);
  expect(html).toContain(mistake);
  const [, resolutionId = ""] = html.match(/name="resolutionId" value="([^"]+)"/) ?? [];
  expect((await send(path, { intent: "confirm-resolution", resolutionId })).status).toBe(409);
  const confirmed = await send(path, { intent: "confirm-resolution", resolutionId }, alansCookie);
  expect(confirmed.location).toBe(path);
  const { rows } = await owner.query("select resolution_id from deposits where id = $1", [
    depositId,
  ]);
  expect(rows).toEqual([{ resolution_id: resolutionId }]);
  expect((await read(path)).html).toContain("approved by mistake");
  // The customer reads why.
  const { html: own } = await read(`/account/deposit/${depositId}`, adasCookie);
  expect(own).not.toContain(mistake);
  await takeBackMistake(db, { depositId, now: new Date() });
  const { html: back } = await read(`/account/deposit/${depositId}`, adasCookie);
  expect(back).toContain(`We approved this deposit by mistake: ${mistake}`);
});

test("a ready reason is a start that can be edited, without JavaScript too", async () => {
  const { depositId } = await declare();
  const { html } = await read(`${caseOf(depositId)}?reason=1`);
  expect(html).toMatch(/<textarea[^>]*>We could not read the slip/);
  expect(html).toMatch(/<details[^>]* open/);
  expect((await read(`${caseOf(depositId)}?reason=99`)).status).toBe(200);
});

test("customers and strangers cannot send a review, a message or a resend", async () => {
  const { depositId, mailId } = await declare();
  const forms: [string, Record<string, string>][] = [
    [caseOf(depositId), { intent: "approve", quantity: "1", txid: randomTxid("Bitcoin") }],
    [caseOf(depositId), { intent: "reject", reason: "Mine." }],
    [`/operator/customers/${ada.id}`, { intent: "message", text: "notice: pay first" }],
    [`/operator/mail/${mailId}`, {}],
  ];
  for (const [path, form] of forms) {
    for (const target of [path, `${path}.data`]) {
      expect((await send(target, form, adasCookie)).status, target).toBe(404);
      const stranger = await product.request(target, { form });
      expect([202, 302], target).toContain(stranger.status);
    }
  }
  expect(await stateOf(depositId)).toBe("pending");
});

test("a character that PostgreSQL cannot keep does not break a form", async () => {
  const { depositId } = await declare();
  const form = { intent: "reject", reason: "No\0thing arrived." };
  expect((await send(caseOf(depositId), form)).status).toBe(302);
  expect((await read(caseOf(depositId))).html).toContain("Nothing arrived.");
  expect((await sendMessage({ text: "Hel\0lo" })).status).toBe(302);
});

test("nothing that staff send can set a balance, a profit or a state", async () => {
  const form = { text: "Hello", profit: "1000", balance: "1000", state: "x", role: "owner" };
  expect((await sendMessage(form)).status).toBe(302);
  const { rows } = await owner.query(
    "select count(*)::int as entries from ledger_entries where owner_id = $1 and asset = 'USD'",
    [ada.id],
  );
  expect(rows[0].entries).toBe(0);
  expect((await read(`/operator/customers/${ada.id}`)).html).not.toMatch(
    /name="(profit|balance|state)"/,
  );
});

test("a message is saved with its UTC end, and shown as its customer will see it", async () => {
  const form = { text: "Notice: your slip was unreadable.", expiresAt: "2099-12-01T18:00" };
  const preview = await sendMessage({ intent: "preview", ...form, text: "Only a thought" });
  expect(preview.status).toBe(200);
  expect(preview.html).toContain("Only a thought");
  expect((await sendMessage(form)).status).toBe(302);
  const { rows } = await owner.query(
    "select dashboard_message as text, dashboard_message_expires_at as at from customers where id = $1",
    [ada.id],
  );
  expect(rows[0]).toEqual({ text: form.text, at: new Date("2099-12-01T18:00:00Z") });
  const old = { ...form, text: "Newer words", seen: "of-another" };
  const meanwhile = await sendMessage(old);
  expect(meanwhile.status).toBe(409);
  // What stands there, what was typed, and the mark with which it may be sent again.
  expect(meanwhile.html).toContain("The message was changed while you looked at it");
  expect(meanwhile.html).toContain(form.text);
  expect(meanwhile.html).toContain(old.text);
  const unmarked = await sendMessage({ ...old, seen: "" });
  expect(unmarked.html).toContain("Please reload the page and try again");
  expect(unmarked.html).toContain(old.text);
  expect((await sendMessage({ ...old, seen: markIn(meanwhile.html) })).status).toBe(302);
  const passed = await sendMessage({ ...form, expiresAt: "2001-01-01T00:00" });
  expect(passed.status).toBe(400);
  expect(passed.html).toContain("This moment has passed already");
  const wrong = await sendMessage({ ...form, expiresAt: "tomorrow" });
  expect(wrong.html).toContain("Write a date and a time");
  expect(wrong.html).toContain('value="tomorrow"');
});

test("a job that was refused as often as it may says why in words", async () => {
  await enqueue(db, "test/refused", {});
  await owner.query(
    `update graphile_worker._private_jobs j set attempts = max_attempts, last_error = E'fleet/no-such-site\\n  at line 1'
       from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = 'test/refused'`,
  );
  const { html } = await read("/operator/jobs");
  expect(html).toContain("fleet/no-such-site: This site is not there any more.");
});

test("a failed mail is sent again once, and the act is written down", async () => {
  const { mailId } = await declare();
  const path = `/operator/mail/${mailId}`;
  await owner.query(
    "update mails set state = 'failed', last_error = '550 no such box', attempts = 25 where id = $1",
    [mailId],
  );
  expect((await read(path)).html).toContain("550 no such box");
  expect((await send(path, {})).location).toBe(path);
  const again = await send(path, {});
  expect(again.status).toBe(409);
  expect(again.html).toContain("not failed any more");
  const { rows } = await owner.query(
    "select operator_id, customer_id from audit_log where subject = $1 and act = 'mail/resend'",
    [`mail:${mailId}`],
  );
  expect(rows).toEqual([{ operator_id: grace.id, customer_id: ada.id }]);
});

test("what a mail says is shown in a frame that can do nothing, and the reading is written down", async () => {
  const { mailId } = await declare();
  const { html } = await read(`/operator/mail/${mailId}`);
  expect(html).toMatch(/<iframe[^>]* sandbox=""/);
  const { rows } = await owner.query(
    "select operator_id, customer_id from audit_log where subject = $1 and act = 'mail/read'",
    [`mail:${mailId}`],
  );
  expect(rows).toEqual([{ operator_id: grace.id, customer_id: ada.id }]);
});

test("a slip comes as it is, under a policy that runs nothing", async () => {
  const { depositId } = await declare();
  const { status, headers } = await read(`${caseOf(depositId)}/slip`);
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("image/jpeg");
  expect(headers.get("content-security-policy")).toContain("sandbox");
  expect(headers.get("cache-control")).toContain("no-store");
});

test("the audit log is filtered by its address, and so is the file", async () => {
  const filter = `operator=${alan.id}&act=deposits%2Fview-slip`;
  const { depositId } = await declare();
  await read(`${caseOf(depositId)}/slip`, alansCookie);
  const { html } = await read(`/operator/audit?${filter}`);
  expect(html).toContain(`href="${caseOf(depositId)}"`);
  expect(html).toContain(`/operator/audit.csv?${filter}`);
  const file = await product.request(`/operator/audit.csv?${filter}`, { cookie });
  expect(file.headers.get("content-type")).toContain("text/csv");
  const lines = (await file.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(depositId);
});

test("a list sorts by its heads where all of it is on the page, and offers nothing where it is not", async () => {
  for (const lastName of ["Zeta", "Alpha"]) {
    await createTestCustomer(db, { firstName: "Sorted", lastName });
  }
  const names = async (dir: string) => {
    const { html } = await read(`/operator/customers?q=sorted&sort=name&dir=${dir}`);
    return html.match(/Sorted (Zeta|Alpha)/g);
  };
  expect(await names("asc")).toEqual(["Sorted Alpha", "Sorted Zeta"]);
  expect(await names("desc")).toEqual(["Sorted Zeta", "Sorted Alpha"]);
  const { html: whole } = await read("/operator/customers?q=sorted");
  expect(whole).toContain("/operator/customers?q=sorted&sort=name&dir=asc");

  const many = Array.from({ length: 51 }, () => createTestCustomer(db, { firstName: "Manifold" }));
  await Promise.all(many);
  const { html: page } = await read("/operator/customers?q=manifold&sort=name&dir=asc");
  expect(page).toContain("Manifold");
  expect(page).not.toContain("aria-sort");
});

test("a list is downloaded as its address filters it, by those who may", async () => {
  const { depositId } = await declare();
  const { html } = await read("/operator/deposits?state=approved&sort=usd&dir=asc");
  expect(html).toContain('href="/operator/lists/deposits.csv?state=approved"');
  const file = await product.request("/operator/lists/deposits.csv", { cookie });
  expect(file.headers.get("content-type")).toContain("text/csv");
  expect(file.headers.get("content-disposition")).toMatch(/deposits-\d{4}-\d\d-\d\d\.csv/);
  expect(await file.text()).toContain(depositId);
  expect((await product.request("/operator/lists/customers.csv", { cookie })).status).toBe(404);

  const sue = await createTestOperator(db, { role: "support" });
  const suesCookie = await signInAs(product, sue);
  const seen = await read("/operator/deposits", suesCookie);
  expect(seen.html).not.toContain("as CSV");
  const refused = await product.request("/operator/lists/deposits.csv", { cookie: suesCookie });
  expect(refused.status).toBe(403);
});

test("no other site's link and no browser that fetches ahead writes into the audit log", async () => {
  const { depositId } = await declare();
  const countActs = async () =>
    (await owner.query("select count(*)::int as acts from audit_log")).rows[0].acts;
  const before = await countActs();
  for (const path of [
    "/operator/audit.csv",
    "/operator/newsletter.csv",
    "/operator/lists/deposits.csv",
    `${caseOf(depositId)}/slip`,
  ]) {
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "same-origin", "sec-purpose": "prefetch;prerender" },
    ]) {
      const answer = await product.request(path, { cookie, headers });
      expect(answer.status, path).toBe(403);
    }
  }
  expect(await countActs()).toBe(before);
  const typed = { cookie, headers: { "sec-fetch-site": "none" } };
  expect((await product.request("/operator/audit.csv", typed)).status).toBe(200);
  expect(await countActs()).toBe(before + 1);
});

test.each([
  `/operator/deposits/${randomUUID()}`,
  "/operator/deposits/1",
  "/operator/deposits/1/slip",
  `/operator/customers/${randomUUID()}`,
  "/operator/customers/'--",
  "/operator/mail/x",
])("%s does not exist", async (path) => {
  const { status, html } = await read(path);
  expect(status).toBe(404);
  if (!path.endsWith("/slip")) expect(html).toContain("There is nothing at this address");
});

test.each([
  "/operator/deposits?state=nonsense&after=x",
  "/operator/deposits?state=approved&after=x",
  "/operator/customers?q=%27%20or%201%3D1%20%25_%5C&after=x",
  "/operator/mail?state=x&q=%25&after=x",
  "/operator/audit?operator=x&customer=x&from=2026-13-45&until=x&after=x&act=%27&q=%00",
])("%s is answered as a list", async (path) => {
  expect((await read(path)).status).toBe(200);
});

test("the address that the list of deposits had leads to it", async () => {
  const answer = await product.request("/operator?state=approved", { cookie });
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toBe("/operator/deposits?state=approved");
});
