import { expect, test } from "vitest";
import { retention } from "#core/retention.ts";
import { testSite } from "#tests/factories/customer.ts";
import { createTestSubscriber, createTestSubscription } from "#tests/factories/newsletter.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { TooManyAttempts } from "../platform/rate-limit.ts";
import { answerOneClick } from "./answer-one-click.ts";
import { confirmSubscription } from "./confirm-subscription.ts";
import { endSubscription } from "./end-subscription.ts";
import { findLeavingLink, findLink } from "./find-link.ts";
import { limits } from "./limits.ts";
import { requestSubscription } from "./request-subscription.ts";
import { sendConfirmation } from "./send-confirmation.ts";
import { sweepSubscriptions } from "./sweep-subscriptions.ts";

const { db, owner } = await testDatabase();
const hourMs = 3_600_000;
let places = 0;

function ask(email: string, wanted: { trap?: string; source?: string; place?: string } = {}) {
  places += 1;
  const { trap = "", source = "/", place = `203.0.113.${places % 250}` } = wanted;
  return requestSubscription(db, { email, trap, source, clientAddress: place, now: new Date() });
}

async function jobs() {
  const { rows } = await owner.query(
    `select j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'newsletter/send-confirmation'`,
  );
  return rows.map(({ payload }) => payload);
}

async function mailsTo(email: string) {
  const { rows } = await owner.query("select * from mails where recipient = $1 order by id", [
    email,
  ]);
  return rows;
}

async function stateOf(email: string) {
  const { rows } = await owner.query(
    "select * from newsletter_subscriptions where email = $1 order by asked_at",
    [email],
  );
  return rows;
}

test("the answer is the same whether an address is subscribed or not, and asking twice is asking once", async () => {
  const known = await createTestSubscriber(db);
  expect(await ask(known.email)).toBe(await ask("new@example.com"));
  await ask("New@Example.com ", { source: "/faq" });
  const asked = await jobs();
  expect(asked.filter(({ email }) => email === "new@example.com")).toMatchObject([
    { source: "/faq", textVersion: 1 },
  ]);
});

test("what fills the hidden field, and a made-up source, go nowhere", async () => {
  await ask("bot@example.com", { trap: "x" });
  await ask("odd@example.com", { source: "https://evil.example/<script>" });
  const asked = await jobs();
  expect(asked.some(({ email }) => email === "bot@example.com")).toBe(false);
  expect(asked.find(({ email }) => email === "odd@example.com")).toMatchObject({ source: "/" });
});

test("nobody is mailed more than a few times a day, and one place asks only so often", async () => {
  for (let n = 0; n < limits.requestsByEmail.max; n += 1) await ask("victim@example.com");
  await expect(ask("victim@example.com")).rejects.toBeInstanceOf(TooManyAttempts);
  const place = "192.0.2.77";
  for (let n = 0; n < limits.requestsByNetwork.max; n += 1)
    await ask(`p${n}@example.com`, { place });
  await expect(ask("last@example.com", { place })).rejects.toBeInstanceOf(TooManyAttempts);
});

test("a subscription waits for the mailbox's yes, and keeps when, where and to what", async () => {
  const now = new Date("2026-11-21T12:00:00Z");
  const { email, token } = await createTestSubscription(db, { source: "/faq", now });
  expect(await stateOf(email)).toMatchObject([
    { state: "pending", source: "/faq", text_version: 1, asked_at: now, confirmed_at: null },
  ]);
  const [mail] = await mailsTo(email);
  expect(mail).toMatchObject({ template: "newsletter-confirmation", holds_link: true });
  // Looking, as a mail scanner does, confirms nothing.
  expect(await findLink(db, token, now)).toBe("open");
  expect(await stateOf(email)).toMatchObject([{ state: "pending" }]);
  const later = new Date(now.getTime() + hourMs);
  await confirmSubscription(db, { token, now: later });
  await confirmSubscription(db, { token, now: new Date(later.getTime() + hourMs) });
  expect(await stateOf(email)).toMatchObject([{ state: "confirmed", confirmed_at: later }]);
  expect(await findLink(db, token, later)).toBe("confirmed");
});

test("the database holds no link that confirms", async () => {
  const { email, token } = await createTestSubscription(db);
  const { rows } = await owner.query(
    "select newsletter_subscriptions::text as row from newsletter_subscriptions where email = $1",
    [email],
  );
  expect(rows[0].row).not.toContain(token);
});

test("a link that is late, replaced or made up confirms nothing", async () => {
  const now = new Date();
  const { email, token } = await createTestSubscription(db, { now });
  const late = new Date(now.getTime() + 49 * hourMs);
  await expect(confirmSubscription(db, { token, now: late })).rejects.toThrow(
    "newsletter/link-expired",
  );
  const soon = new Date(now.getTime() + 1_000);
  const newer = await createTestSubscription(db, { email, now: soon });
  await expect(confirmSubscription(db, { token, now: soon })).rejects.toThrow(
    "newsletter/link-unknown",
  );
  await confirmSubscription(db, { token: newer.token, now: soon });
  await expect(confirmSubscription(db, { token: "made up", now })).rejects.toThrow(
    "newsletter/link-unknown",
  );
});

test("the job that mails the link, run twice, mails once", async () => {
  const now = new Date();
  const wish = {
    email: "twice@example.com",
    source: "/",
    textVersion: 1,
    askedAt: now.toISOString(),
  };
  await sendConfirmation(db, { wish, site: testSite, now });
  await sendConfirmation(db, { wish, site: testSite, now: new Date(now.getTime() + 5_000) });
  expect(await mailsTo("twice@example.com")).toHaveLength(1);
});

test("who is subscribed and asks again reads it in the mailbox, and stays subscribed", async () => {
  const { email, leavingToken } = await createTestSubscriber(db);
  const now = new Date(Date.now() + 1_000);
  const wish = { email, source: "/", textVersion: 1, askedAt: now.toISOString() };
  await sendConfirmation(db, { wish, site: testSite, now });
  const mails = await mailsTo(email);
  expect(mails.map(({ template }) => template)).toEqual([
    "newsletter-confirmation",
    "newsletter-already",
  ]);
  expect(mails[1].body_text).toContain(`/newsletter/unsubscribe?token=${leavingToken}`);
  expect(await stateOf(email)).toMatchObject([{ state: "confirmed" }]);
});

test("who leaves is out at once, may leave twice, and may come back", async () => {
  const { email, leavingToken, token } = await createTestSubscriber(db);
  const now = new Date();
  expect(await findLeavingLink(db, leavingToken)).toBe("open");
  await endSubscription(db, { token: leavingToken, by: "page", now });
  await endSubscription(db, { token: leavingToken, by: "one-click", now });
  expect(await findLeavingLink(db, leavingToken)).toBe("ended");
  expect(await stateOf(email)).toMatchObject([{ state: "ended", ended_by: "page", ended_at: now }]);
  // The old link does not bring anybody back.
  await expect(confirmSubscription(db, { token, now })).rejects.toThrow("newsletter/link-unknown");
  await createTestSubscriber(db, { email, now: new Date(now.getTime() + 1_000) });
  expect((await stateOf(email)).map(({ state }) => state)).toEqual(["ended", "confirmed"]);
  for (const token of ["made up", "\0", "\0".repeat(32)]) {
    expect(await findLeavingLink(db, token)).toBe("unknown");
    await expect(endSubscription(db, { token, by: "page", now })).rejects.toThrow(
      "newsletter/link-unknown",
    );
  }
});

test("a mail program's click ends the subscription, and any other form is left to the page", async () => {
  const { email, leavingToken } = await createTestSubscriber(db);
  const post = (token: string, body: BodyInit) =>
    answerOneClick(
      { db, now: () => new Date() },
      new Request(`https://assay.example/newsletter/unsubscribe?token=${token}`, {
        method: "POST",
        body,
      }),
    );
  expect(await post(leavingToken, new URLSearchParams({ confirm: "yes" }))).toBe(null);
  expect(await post(leavingToken, "nonsense")).toBe(null);
  expect(await stateOf(email)).toMatchObject([{ state: "confirmed" }]);
  const click = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  expect((await post("made-up", click))?.status).toBe(404);
  const answer = await post(leavingToken, click);
  expect(answer?.status).toBe(200);
  expect(answer?.redirected).toBe(false);
  expect(await stateOf(email)).toMatchObject([{ state: "ended", ended_by: "one-click" }]);
  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  expect((await post(leavingToken, multipart))?.status).toBe(200);
});

test("addresses that nobody confirmed, and of who left, are forgotten with their mails; the consent stays", async () => {
  const old = new Date("2020-01-01T00:00:00Z");
  const after = (days: number) => new Date(old.getTime() + days * 24 * hourMs);
  const unconfirmed = await createTestSubscription(db, { now: old });
  const left = await createTestSubscriber(db, { now: old });
  const stays = await createTestSubscriber(db, { now: old });
  await endSubscription(db, { token: left.leavingToken, by: "page", now: old });
  await sweepSubscriptions(db, after(2 + retention.unconfirmedSubscriptionDays - 1));
  expect(await stateOf(unconfirmed.email)).toHaveLength(1);
  await sweepSubscriptions(db, after(2 + retention.unconfirmedSubscriptionDays + 1));
  expect(await stateOf(unconfirmed.email)).toEqual([]);
  expect(await mailsTo(unconfirmed.email)).toEqual([]);
  expect(await stateOf(left.email)).toHaveLength(1);
  await sweepSubscriptions(db, after(retention.endedSubscriptionDays + 1));
  expect(await stateOf(left.email)).toEqual([]);
  expect(await mailsTo(left.email)).toEqual([]);
  const { rows } = await owner.query("select * from newsletter_subscriptions where id = $1", [
    left.subscriptionId,
  ]);
  expect(rows).toMatchObject([{ email: null, confirmed_at: old, ended_at: old, text_version: 1 }]);
  expect(await stateOf(stays.email)).toMatchObject([{ state: "confirmed" }]);
  expect(await mailsTo(stays.email)).toHaveLength(1);
});
