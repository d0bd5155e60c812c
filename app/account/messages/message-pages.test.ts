import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { findThread } from "#server/contact/find-thread.ts";
import { replyToThread } from "#server/contact/reply-to-thread.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestDeposit, uniquePicture } from "#tests/factories/deposit.ts";
import { writeTestMessage } from "#tests/factories/message.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { app, db, owner } = product;
const grace = await createTestOperator(db, { firstName: "Grace" });
const [ada, bob] = [await createTestCustomer(db), await createTestCustomer(db)];
const cookie = await signInAs(product, ada);

const read = async (path: string, as = cookie) => {
  const answer = await product.request(path, { cookie: as });
  return { status: answer.status, html: await answer.text() };
};

interface Sent {
  files?: Array<[name: string, bytes: Uint8Array]>;
  [field: string]: unknown;
}

/** The form as a browser without JavaScript sends it: with an empty file where none was chosen. */
async function send(path: string, { files = [["", new Uint8Array()]], ...fields }: Sent = {}) {
  const form = new FormData();
  const all = {
    submissionKey: randomUUID(),
    about: "",
    subject: "Where is my deposit?",
    message: "I paid in yesterday.",
    ...fields,
  };
  for (const [field, value] of Object.entries(all)) form.append(field, String(value));
  for (const [name, bytes] of files) form.append("files", new Blob([bytes as BlobPart]), name);
  const answer = await product.request(path, { cookie, form });
  return { answer, html: await answer.text(), location: answer.headers.get("location") ?? "" };
}

test("before the first message the page says what to do; afterwards it lists what was written", async () => {
  expect((await read("/account/messages")).html).toContain("No messages yet");
  const { answer, location } = await send("/account/messages/new");
  expect(answer.status).toBe(302);
  expect(location).toMatch(/^\/account\/messages\/[0-9a-f-]{36}$/);
  const { html } = await read("/account/messages");
  expect(html).toContain("Where is my deposit?");
  expect(html).toContain("Waiting for our answer");
});

test("a message about a deposit begins with it, links to it, and names nobody else's", async () => {
  const own = await createTestDeposit(app, { customerId: ada.id });
  const about = `deposit:${own.depositId}`;
  const { html } = await read(`/account/messages/new?about=${about}`);
  expect(html).toContain(`href="/account/deposit/${own.depositId}"`);
  expect(html).toMatch(/name="subject"[^>]*value="[A-Z][a-z]+ deposit of \$/);
  const { location } = await send("/account/messages/new", { about });
  expect((await read(location)).html).toContain(`href="/account/deposit/${own.depositId}"`);
  const capitals = await send("/account/messages/new", {
    about: `deposit:${own.depositId.toUpperCase()}`,
  });
  expect(capitals.answer.status).toBe(302);
  const others = await createTestDeposit(app, { customerId: bob.id });
  const strange = `deposit:${others.depositId}`;
  expect((await read(`/account/messages/new?about=${strange}`)).html).not.toContain("About:");
  const sent = await send("/account/messages/new", { about: strange });
  const { rows } = await owner.query("select about from contact_threads where id = $1", [
    sent.location.split("/").at(-1),
  ]);
  expect(rows).toEqual([{ about: null }]);
});

test("files come along, and are given back to their customer and to staff alone", async () => {
  const picture: [string, Uint8Array] = ["receipt.png", await uniquePicture()];
  const { location } = await send("/account/messages/new", { files: [picture] });
  const { html } = await read(location);
  const href = html.match(/href="(\/account\/messages\/[^"]*\/files\/[^"]*)"/)?.[1] ?? "";
  const file = await product.request(href, { cookie });
  expect(file.headers.get("content-type")).toBe("image/jpeg");
  expect(file.headers.get("content-security-policy")).toContain("sandbox");
  expect((await read(href, await signInAs(product, bob))).status).toBe(404);
  const staff = await signInAs(product, grace);
  const forStaff = href.replace("/account", "/operator");
  expect((await product.request(forStaff, { cookie: staff })).status).toBe(200);
  const page = await read(location.replace("/account", "/operator"), staff);
  expect(page.html).toContain(forStaff);
});

test("a form that is not whole, or brings too much, keeps what was typed and sends nothing", async () => {
  const empty = await send("/account/messages/new", { message: " ", subject: "Kept words" });
  expect(empty.answer.status).toBe(400);
  expect(empty.html).toContain("Please write your message");
  expect(empty.html).toContain('value="Kept words"');
  const picture = await uniquePicture();
  const four = ["a", "b", "c", "d"].map((name): [string, Uint8Array] => [`${name}.png`, picture]);
  const many = await send("/account/messages/new", { files: four });
  expect(many.answer.status).toBe(400);
  expect(many.html).toContain("Choose at most 3 files.");
  expect(many.html).toContain("I paid in yesterday.");
  const bytes = Buffer.from("<svg onload=alert(1)>");
  const wrong = await send("/account/messages/new", { files: [["x.svg", bytes]] });
  expect(wrong.html).toContain("Nothing was sent.");
  const large = await send("/account/messages/new", {
    files: [["large.png", Buffer.alloc(11 * 1024 * 1024)]],
  });
  expect(large.answer.status).toBe(413);
});

test("an answer shows as new in the navigation until it is opened", async () => {
  const eve = await createTestCustomer(db);
  const eves = await signInAs(product, eve);
  const { threadId } = await writeTestMessage(app, eve);
  const seen = (await findThread(db, threadId))?.revision ?? 0;
  const reply = {
    threadId,
    submissionKey: randomUUID(),
    seen,
    text: "It is there.",
    replyTo: null,
  };
  await replyToThread(app, grace, reply, app.now());
  expect((await read("/account/messages", eves)).html).toContain("new answer");
  const opened = await read(`/account/messages/${threadId}`, eves);
  expect(opened.html).toContain("It is there.");
  expect(opened.html).toContain("Grace, our staff");
  expect((await read("/account/messages", eves)).html).not.toContain("new answer");
});

test("staff who look at the account see an answer and open no file, and it stays new for its customer", async () => {
  const eve = await createTestCustomer(db);
  const files = [{ name: "receipt.png", bytes: await uniquePicture() }];
  const { threadId, fileIds } = await writeTestMessage(app, eve, { files });
  const seen = (await findThread(db, threadId))?.revision ?? 0;
  const reply = {
    threadId,
    submissionKey: randomUUID(),
    seen,
    text: "It is there.",
    replyTo: null,
  };
  await replyToThread(app, grace, reply, app.now());
  const staff = await signInAs(product, await createTestOperator(db));
  const view = { intent: "start", reason: "You asked why" };
  await product.request(`/operator/customers/${eve.id}/view`, { cookie: staff, form: view });
  const page = await read(`/account/messages/${threadId}`, staff);
  expect(page.html).toContain("It is there.");
  expect(page.html).not.toContain(`/files/${fileIds[0]}`);
  expect((await read(`/account/messages/${threadId}/files/${fileIds[0]}`, staff)).status).toBe(403);
  const { rows } = await owner.query("select has_news from contact_threads where id = $1", [
    threadId,
  ]);
  expect(rows).toEqual([{ has_news: true }]);
});

test("a thread of another customer, or none, is not there", async () => {
  const { threadId } = await writeTestMessage(app, bob);
  for (const id of [threadId, randomUUID(), "none", "new%00"]) {
    expect((await read(`/account/messages/${id}`)).status).toBe(404);
  }
  expect((await send(`/account/messages/${threadId}`)).answer.status).toBe(404);
});
