import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openLog } from "#server/platform/log/log.ts";
import { sendMail } from "#server/platform/mail/send-mail.ts";
import { testSite } from "#tests/factories/customer.ts";
import {
  createTestIssue,
  createTestSubscriber,
  createTestSubscription,
} from "#tests/factories/newsletter.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { startSmtpInbox } from "#tests/fakes/smtp-inbox.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { discardIssue } from "./discard-issue.ts";
import { endSubscription } from "./end-subscription.ts";
import { countDelivered, findIssue, listIssues } from "./list-issues.ts";
import { saveIssue } from "./save-issue.ts";
import { batchSize, sendBatch } from "./send-batch.ts";
import { sendIssue } from "./send-issue.ts";
import { sendTest } from "./send-test.ts";
import { stopIssue } from "./stop-issue.ts";
import { sweepSubscriptions } from "./sweep-subscriptions.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);

async function send(issueId: string, imprint = "Assay Ltd, 1 Mint Street") {
  const issue = await findIssue(db, issueId);
  await sendIssue(db, grace, { issueId, seen: issue?.revision ?? 0, imprint }, new Date());
}

const batch = (issueId: string) => sendBatch(db, { issueId, site: testSite, now: new Date() });

async function mailsOf(issueId: string) {
  const { rows } = await owner.query(
    "select * from mails join mail_keys using (id) where key like $1 order by recipient",
    [`newsletter:${issueId}:%`],
  );
  return rows;
}

async function batchJobs(issueId: string) {
  const { rows } = await owner.query("select * from graphile_worker.jobs where key = $1", [
    `newsletter-batch:${issueId}`,
  ]);
  return rows;
}

async function acts(issueId: string) {
  const { rows } = await owner.query(
    "select act from audit_log where subject = $1 order by position",
    [`newsletter:${issueId}`],
  );
  return rows.map(({ act }) => act);
}

async function leaveAll() {
  await owner.query(
    "update newsletter_subscriptions set state = 'ended', ended_at = now(), ended_by = 'page' where state <> 'ended'",
  );
}

test("an issue is refused while nobody is subscribed", async () => {
  await createTestSubscription(db);
  const issueId = await createTestIssue(db, grace);
  await expect(send(issueId)).rejects.toThrow("newsletter/nobody-subscribed");
  expect(await findIssue(db, issueId)).toMatchObject({ state: "draft" });
});

test("everybody who confirmed before gets it once, with a way out of his own", async () => {
  await leaveAll();
  const [ada, bob] = [await createTestSubscriber(db), await createTestSubscriber(db)];
  const pending = await createTestSubscription(db);
  const issueId = await createTestIssue(db, grace, { body: "First <b>words</b>\n\nsecond\nline" });
  await send(issueId);
  await send(issueId);
  const late = await createTestSubscriber(db, { now: new Date(Date.now() + 60_000) });
  await Promise.all([batch(issueId), batch(issueId), batch(issueId)]);
  const mails = await mailsOf(issueId);
  expect(mails.map(({ recipient }) => recipient)).toEqual([ada.email, bob.email].sort());
  expect(mails.map(({ recipient }) => recipient)).not.toContain(pending.email);
  expect(mails.map(({ recipient }) => recipient)).not.toContain(late.email);
  const toAda = mails.find(({ recipient }) => recipient === ada.email);
  expect(toAda.unsubscribe_url).toBe(
    `${testSite.appUrl}/newsletter/unsubscribe?token=${ada.leavingToken}`,
  );
  expect(toAda.body_text).toContain(toAda.unsubscribe_url);
  expect(toAda.body_text).toContain("Assay Ltd, 1 Mint Street");
  expect(toAda.body_html).toContain("First &lt;b&gt;words&lt;/b&gt;");
  expect(toAda.body_html).not.toContain(bob.leavingToken);
  expect(await findIssue(db, issueId)).toMatchObject({ state: "sent" });
  expect(await acts(issueId)).toEqual(["newsletter/save-issue", "newsletter/send-issue"]);
});

test("the mail that leaves carries the headers of RFC 8058, and its body is not kept", async () => {
  await leaveAll();
  const { email } = await createTestSubscriber(db);
  const issueId = await createTestIssue(db, grace);
  await send(issueId);
  await batch(issueId);
  const [mail] = await mailsOf(issueId);
  const inbox = await startSmtpInbox();
  const config = { smtpUrl: inbox.url, dataDir: "", mailFrom: "Assay <no-reply@assay.example>" };
  await sendMail({ db, config, log: openLog("silent"), now: () => new Date() }, mail.id);
  await inbox.stop();
  expect(inbox.mails).toHaveLength(1);
  expect(inbox.mails[0]).toMatchObject({ to: [email], subject: "New fees from March" });
  expect(inbox.mails[0]?.headers).toMatchObject({
    "list-unsubscribe": `<${mail.unsubscribe_url}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect((await mailsOf(issueId))[0]).toMatchObject({ body_text: null, body_html: null });
  expect((await countDelivered(db, [issueId])).get(issueId)).toMatchObject({ sent: 1, waiting: 0 });
});

test("goes through the list in batches, and a worker that dies in one leaves nobody out and nobody twice", async () => {
  await leaveAll();
  const readers = batchSize * 2 + 5;
  for (let n = 0; n < readers; n += 1) await createTestSubscriber(db);
  const issueId = await createTestIssue(db, grace);
  await send(issueId);
  await batch(issueId);
  expect(await mailsOf(issueId)).toHaveLength(batchSize);
  expect(await batchJobs(issueId)).toHaveLength(1);
  // Dies in the middle of the second batch: after some mails, before the commit.
  await owner.query(
    `create function die_in_the_middle() returns trigger language plpgsql as $$
     begin
       if (select count(*) from newsletter_deliveries) % 37 = 0 then raise exception 'the worker died'; end if;
       return new;
     end $$;
     create trigger dies after insert on newsletter_deliveries for each row execute function die_in_the_middle()`,
  );
  await expect(batch(issueId)).rejects.toThrow();
  expect(await mailsOf(issueId)).toHaveLength(batchSize);
  await owner.query(
    "drop trigger dies on newsletter_deliveries; drop function die_in_the_middle()",
  );
  // The job was lost with its worker: the hourly sweep finds the issue.
  await owner.query("delete from graphile_worker._private_jobs");
  await sweepSubscriptions(db, new Date());
  expect(await batchJobs(issueId)).toHaveLength(1);
  await batch(issueId);
  await batch(issueId);
  await batch(issueId);
  const recipients = (await mailsOf(issueId)).map(({ recipient }) => recipient);
  expect(new Set(recipients).size).toBe(readers);
  expect(recipients).toHaveLength(readers);
  const [issue] = await listIssues(db, { limit: 1 });
  expect(issue).toMatchObject({ state: "sent", recipients: readers, waiting: readers });
});

test("who leaves before the mail has left does not get it, and is counted so", async () => {
  await leaveAll();
  const [stays, leaves] = [await createTestSubscriber(db), await createTestSubscriber(db)];
  const issueId = await createTestIssue(db, grace);
  await send(issueId);
  await batch(issueId);
  await endSubscription(db, { token: leaves.leavingToken, by: "one-click", now: new Date() });
  expect((await mailsOf(issueId)).map(({ recipient }) => recipient)).toEqual([stays.email]);
  const counted = async () => (await countDelivered(db, [issueId])).get(issueId);
  const before = { recipients: 2, waiting: 1, withdrawn: 1, leftSince: 0 };
  expect(await counted()).toMatchObject(before);
  await owner.query(
    "update mails set state = 'sent', sent_at = now(), sent_via = 'smtp' where recipient = $1",
    [stays.email],
  );
  await endSubscription(db, { token: stays.leavingToken, by: "page", now: new Date() });
  const after = { recipients: 2, waiting: 0, sent: 1, withdrawn: 1, leftSince: 1 };
  expect(await counted()).toMatchObject(after);
  await sweepSubscriptions(db, new Date(Date.now() + 40 * 86_400_000));
  expect(await mailsOf(issueId)).toEqual([]);
  expect(await counted()).toMatchObject(after);
});

test("mail to a list stands behind mail to one", async () => {
  await leaveAll();
  const { email } = await createTestSubscriber(db);
  const issueId = await createTestIssue(db, grace);
  await send(issueId);
  await batch(issueId);
  const { rows } = await owner.query(
    `select m.template, j.priority from graphile_worker.jobs j join mails m on j.key = 'mail:' || m.id
      where m.recipient = $1 order by m.id`,
    [email],
  );
  expect(rows).toEqual([
    { template: "newsletter-confirmation", priority: 0 },
    { template: "newsletter-issue", priority: 10 },
  ]);
});

test("a sending that is stopped reaches nobody more", async () => {
  await leaveAll();
  await createTestSubscriber(db);
  const issueId = await createTestIssue(db, grace);
  await send(issueId);
  await stopIssue(db, grace, issueId, new Date());
  await stopIssue(db, grace, issueId, new Date());
  await batch(issueId);
  expect(await mailsOf(issueId)).toEqual([]);
  expect(await findIssue(db, issueId)).toMatchObject({ state: "stopped" });
  expect(await acts(issueId)).toEqual([
    "newsletter/save-issue",
    "newsletter/send-issue",
    "newsletter/stop-issue",
  ]);
});

test("what is sent is what was looked at, and is never rewritten", async () => {
  await createTestSubscriber(db);
  const issueId = await createTestIssue(db, grace);
  const words = { issueId, seen: 0, subject: "Other", body: "words" };
  await saveIssue(db, grace, words, new Date());
  await saveIssue(db, grace, { ...words, seen: 1 }, new Date());
  expect(await acts(issueId)).toEqual(["newsletter/save-issue", "newsletter/save-issue"]);
  const stale = { issueId, seen: 0, imprint: "" };
  await expect(sendIssue(db, grace, stale, new Date())).rejects.toThrow("newsletter/issue-changed");
  await expect(saveIssue(db, grace, { ...words, subject: "Third" }, new Date())).rejects.toThrow(
    "newsletter/issue-changed",
  );
  await send(issueId);
  await expect(
    saveIssue(db, grace, { ...words, seen: 2, subject: "Late" }, new Date()),
  ).rejects.toThrow("newsletter/not-a-draft");
  await expect(discardIssue(db, grace, issueId, new Date())).rejects.toThrow(
    "newsletter/not-a-draft",
  );
  await expect(
    owner.query("update newsletter_issues set body = 'other' where id = $1", [issueId]),
  ).rejects.toThrow("What was sent is never rewritten");
});

test("a draft can be thrown away, and an empty one is none", async () => {
  const issueId = await createTestIssue(db, grace);
  await discardIssue(db, grace, issueId, new Date());
  expect(await findIssue(db, issueId)).toBe(null);
  const empty = { issueId: randomUUID(), seen: null, subject: " \n", body: "x" };
  await expect(saveIssue(db, grace, empty, new Date())).rejects.toThrow("newsletter/issue-empty");
});

test("the same new issue sent twice at once is one", async () => {
  const words = { issueId: randomUUID(), seen: null, subject: "Once", body: "only" };
  await Promise.all([
    saveIssue(db, grace, words, new Date()),
    saveIssue(db, grace, words, new Date()),
  ]);
  expect(await acts(words.issueId)).toEqual(["newsletter/save-issue"]);
});

test("a test goes to who asks for it, once, and ends nothing", async () => {
  const issueId = await createTestIssue(db, grace);
  const once = { issueId, submissionKey: randomUUID(), imprint: "Assay Ltd" };
  await sendTest({ db, config: testSite }, grace, once, new Date());
  await sendTest({ db, config: testSite }, grace, once, new Date());
  const { rows } = await owner.query("select * from mails where template = 'newsletter-test'");
  expect(rows).toMatchObject([
    { recipient: grace.email, subject: "[Test] New fees from March", unsubscribe_url: null },
  ]);
  expect(await findIssue(db, issueId)).toMatchObject({ state: "draft" });
});
