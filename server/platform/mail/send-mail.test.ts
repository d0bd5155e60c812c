import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import PostalMime from "postal-mime";
import { afterAll, expect, test } from "vitest";
import { eq } from "#server/platform/sql.ts";
import { startBlackHole, startSmtpInbox } from "#tests/fakes/smtp-inbox.ts";
import { within } from "#tests/setup/slowness.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { openLog } from "../log/log.ts";
import { mails } from "../schema.ts";
import { findMail } from "./find-mail.ts";
import { renderMail } from "./layout.ts";
import { maxSendAttempts } from "./mail.ts";
import { forBrowser } from "./mark.ts";
import { queueMail } from "./queue-mail.ts";
import { sendMail } from "./send-mail.ts";

const { db, owner } = await testDatabase();
const site = { siteName: "Assay", appUrl: "https://assay.example" };
const now = new Date("2026-03-01T12:00:00Z");

const folder = mkdtempSync(path.join(tmpdir(), "assay-mail-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function context(smtpUrl: string | null, dataDir = mkdtempSync(path.join(folder, "data-"))) {
  const config = { smtpUrl, dataDir, mailFrom: "Assay <no-reply@assay.example>" };
  return { db, config, log: openLog("silent"), now: () => new Date() };
}

function letter(holdsLink = false, url = "https://assay.example/verify-email?token=abc") {
  return renderMail(site, {
    template: "test",
    subject: "Grüße & <b>Dank</b>",
    preview: "p",
    headline: "Your coins",
    because: "You get this because you are tested.",
    greeting: "Hello <script>alert(1)</script>,",
    paragraphs: ["first & last <script>alert(1)</script>"],
    facts: [["Amount", "0.01 BTC"]],
    action: { label: "Open", url },
    holdsLink,
  });
}

async function queue(content = letter(), to = "ada@example.com") {
  const { mailId } = await db.transaction((tx) =>
    queueMail(tx, { to, userId: null, now, content }),
  );
  return mailId ?? "";
}

async function waitingJobs(mailId: string) {
  const { rows } = await owner.query(
    "select count(*)::int as count from graphile_worker.jobs where key = $1",
    [`mail:${mailId}`],
  );
  return rows[0].count;
}

test("queues a mail only when what it tells about is committed", async () => {
  const told = db.transaction(async (tx) => {
    await queueMail(tx, { to: "undone@example.com", userId: null, now, content: letter() });
    throw new Error("undone");
  });
  await expect(told).rejects.toThrow("undone");
  expect(await db.select().from(mails).where(eq(mails.recipient, "undone@example.com"))).toEqual(
    [],
  );
  const mailId = await queue();
  expect(await waitingJobs(mailId)).toBe(1);
});

test("sends once, as HTML and as text, with a Message-ID of its own, markup escaped", async () => {
  const inbox = await startSmtpInbox();
  const mailId = await queue();
  await sendMail(context(inbox.url), mailId);
  await sendMail(context(inbox.url), mailId);
  await inbox.stop();
  expect(inbox.mails).toHaveLength(1);
  const [mail] = inbox.mails;
  expect(mail).toMatchObject({
    messageId: `<${mailId}@assay.example>`,
    from: "no-reply@assay.example",
    to: ["ada@example.com"],
    subject: "Grüße & <b>Dank</b>",
  });
  expect(mail?.text).toContain("Open:\nhttps://assay.example/verify-email?token=abc");
  expect(mail?.text).toContain("Amount: 0.01 BTC");
  expect(mail?.html).toContain("&lt;script&gt;");
  expect(mail?.html).not.toContain("<script>");
  expect(mail?.headers["auto-submitted"]).toBe("auto-generated");
});

test("is not sent again because a connection broke when it had left", async () => {
  const inbox = await startSmtpInbox();
  const mailId = await queue();
  let updates = 0;
  const broken = new Proxy(db, {
    get(target, name) {
      if (name !== "update") return Reflect.get(target, name);
      updates += 1;
      // The first takes the mail, the second notes that it was sent.
      if (updates === 2) throw new Error("Connection terminated unexpectedly");
      return target.update.bind(target);
    },
  });
  await sendMail({ ...context(inbox.url), db: broken }, mailId);
  await inbox.stop();
  expect(inbox.mails).toHaveLength(1);
  expect(await findMail(db, mailId, "regtest")).toMatchObject({ state: "sent", attempts: 1 });
});

test("is sent once, later, when the server is down, then a black hole, then back", async () => {
  const mailId = await queue(letter(true));
  await expect(sendMail(context("smtp://127.0.0.1:1"), mailId)).rejects.toThrow(
    /ECONNREFUSED|ESOCKET/,
  );
  const hole = await startBlackHole();
  const started = performance.now();
  await expect(sendMail(context(hole.url), mailId)).rejects.toThrow("ETIMEDOUT");
  expect(performance.now() - started).toBeLessThan(within(12_000));
  await hole.stop();
  expect(await findMail(db, mailId, "regtest")).toMatchObject({ state: "queued", attempts: 2 });
  const inbox = await startSmtpInbox();
  await sendMail(context(inbox.url), mailId);
  await inbox.stop();
  expect(inbox.mails).toHaveLength(1);
  expect(await findMail(db, mailId, "regtest")).toMatchObject({
    state: "sent",
    attempts: 3,
    sentVia: "smtp",
  });
});

test("is sent by one of several workers that try at the same time", async () => {
  const inbox = await startSmtpInbox();
  const mailId = await queue();
  await Promise.allSettled(Array.from({ length: 6 }, () => sendMail(context(inbox.url), mailId)));
  await inbox.stop();
  expect(inbox.mails).toHaveLength(1);
});

test("is taken over from a worker that died while sending it", async () => {
  const inbox = await startSmtpInbox();
  const mailId = await queue();
  const soon = new Date(Date.now() + 30_000);
  await db.update(mails).set({ sendingUntil: soon }).where(eq(mails.id, mailId));
  await expect(sendMail(context(inbox.url), mailId)).rejects.toThrow("another worker");
  await db
    .update(mails)
    .set({ sendingUntil: new Date(0) })
    .where(eq(mails.id, mailId));
  await sendMail(context(inbox.url), mailId);
  await inbox.stop();
  expect(inbox.mails).toHaveLength(1);
});

test("is given up at once when the server knows no such mailbox, and keeps nobody's address in the reason", async () => {
  const inbox = await startSmtpInbox();
  const mailId = await queue(letter(), "nobody@example.com");
  await sendMail(context(inbox.url), mailId);
  await inbox.stop();
  const mail = await findMail(db, mailId, "regtest");
  expect(mail).toMatchObject({ state: "failed", attempts: 1 });
  expect(mail?.lastError).toContain("550");
  expect(mail?.lastError).not.toContain("nobody");
});

test("is given up after the last try", async () => {
  const mailId = await queue();
  await db
    .update(mails)
    .set({ attempts: maxSendAttempts - 1 })
    .where(eq(mails.id, mailId));
  await sendMail(context("smtp://127.0.0.1:1"), mailId);
  expect(await findMail(db, mailId, "regtest")).toMatchObject({ state: "failed" });
});

test("does not keep a body with a link once a mail server has it, and keeps other bodies", async () => {
  const inbox = await startSmtpInbox();
  const [secret, plain] = [await queue(letter(true)), await queue(letter(false))];
  expect(await findMail(db, secret, "regtest")).toMatchObject({ bodyText: null, bodyHtml: null });
  await sendMail(context(inbox.url), secret);
  await sendMail(context(inbox.url), plain);
  await inbox.stop();
  const [kept] = await db.select().from(mails).where(eq(mails.id, secret));
  expect(kept).toMatchObject({ bodyText: null, bodyHtml: null });
  expect((await findMail(db, plain, "regtest"))?.bodyText).toContain("first & last");
});

test("is written to the outbox when there is no mail server, where the console can still show it", async () => {
  const outbox = context(null);
  const mailId = await queue(letter(true));
  await sendMail(outbox, mailId);
  const folder = path.join(outbox.config.dataDir, "outbox");
  const files = readdirSync(folder);
  expect(files).toEqual([`20260301T120000Z-${mailId}.eml`]);
  const mail = await PostalMime.parse(readFileSync(path.join(folder, files[0] ?? "")));
  expect(mail.to?.[0]?.address).toBe("ada@example.com");
  // The mark goes along, so that nothing is loaded from elsewhere; the console shows it without attachments.
  expect(mail.attachments).toMatchObject([{ mimeType: "image/png", contentId: "<mark@mail>" }]);
  expect(mail.html).toContain('src="cid:mark@mail"');
  expect(forBrowser(mail.html ?? "")).toContain('src="data:image/png;base64,');
  const kept = await findMail(db, mailId, "regtest");
  expect(kept).toMatchObject({ state: "sent", sentVia: "outbox" });
  expect(kept?.bodyText).toContain("token=abc");
  // Whoever reads a customer's link can become the customer: never where money is real.
  expect(await findMail(db, mailId, "mainnet")).toMatchObject({ bodyText: null, bodyHtml: null });
});
