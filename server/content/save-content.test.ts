import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testSite } from "#tests/factories/customer.ts";
import { changeTestOperator, createTestOperator } from "#tests/factories/operator.ts";
import { testDatabase } from "#tests/setup/test-database.ts";
import { alreadyRegisteredMail } from "../identity/mails.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { type AnnouncementBody, emptyCompany } from "./content.ts";
import { defaultFaq } from "./default-faq.ts";
import { findFreeSlug } from "./find-free-slug.ts";
import { findPieceWithHistory } from "./find-piece-with-history.ts";
import { getCompany } from "./get-company.ts";
import { listAnnouncements } from "./list-announcements.ts";
import { listFaqEntries } from "./list-faq-entries.ts";
import { listFaqForConsole } from "./list-pieces.ts";
import { moveFaqEntry } from "./move-faq-entry.ts";
import { type ContentEdit, saveContent } from "./save-content.ts";

const { db, owner } = await testDatabase();
const grace = await createTestOperator(db);
const alan = await createTestOperator(db, { firstName: "Alan", lastName: "Turing" });
const now = new Date("2026-11-21T12:00:00Z");
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

const question = (edit: Partial<ContentEdit> & { question?: string; answer?: string } = {}) =>
  ({
    kind: "faq",
    slug: "how-is-it-paid",
    seenVersion: 0,
    state: "published",
    newId: null,
    ...edit,
    body: { question: edit.question ?? "How is it paid?", answer: edit.answer ?? "Daily." },
  }) as ContentEdit;

const announcement = (slug: string, body: Partial<AnnouncementBody>, newId = randomUUID()) =>
  ({
    kind: "announcement",
    slug,
    seenVersion: 0,
    state: "published",
    newId,
    body: {
      title: slug,
      text: "Text.",
      publishedAt: now.toISOString(),
      expiresAt: null,
      pinned: false,
      ...body,
    },
  }) as ContentEdit;

async function actsAbout(subject: string): Promise<string[]> {
  const { rows } = await owner.query(
    "select act from audit_log where subject = $1 order by position",
    [subject],
  );
  return rows.map(({ act }) => act);
}

test("a new question is a draft until it is published, and every version is kept with its author", async () => {
  const newId = randomUUID();
  const shown = async () => (await listFaqEntries(db)).find(({ slug }) => slug === "a-draft");
  const draft = question({ slug: "a-draft", newId, state: "draft", question: "First?" });
  await saveContent(db, grace, draft, now);
  expect(await shown()).toBeUndefined();
  const second = question({ slug: "a-draft", seenVersion: 1, question: "Second?" });
  await saveContent(db, alan, second, later(1));
  expect(await shown()).toMatchObject({ question: "Second?" });
  const third = question({ slug: "a-draft", seenVersion: 2, state: "draft", question: "Third?" });
  await saveContent(db, grace, third, later(2));
  expect(await shown()).toMatchObject({ question: "Second?" });
  const history = await findPieceWithHistory(db, "faq", "a-draft");
  expect(history?.versions.map(({ version, state, author }) => [version, state, author])).toEqual([
    [3, "draft", "Grace Hopper"],
    [2, "published", "Alan Turing"],
    [1, "draft", "Grace Hopper"],
  ]);
  expect(await actsAbout("content:faq/a-draft")).toEqual([
    "content/save-draft",
    "content/publish",
    "content/save-draft",
  ]);
});

test("of two who edit the same version the second is refused, and nothing is lost or overwritten", async () => {
  const slug = "two-editors";
  await saveContent(db, grace, question({ slug, newId: randomUUID() }), now);
  const edits = ["Grace's", "Alan's"].map((answer, index) =>
    saveContent(
      db,
      [grace, alan][index] ?? grace,
      question({ slug, seenVersion: 1, answer }),
      later(1),
    ),
  );
  const outcomes = await Promise.allSettled(edits);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = outcomes.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ code: "content/changed-meanwhile" });
  const history = await findPieceWithHistory(db, "faq", slug);
  expect(history?.versions).toHaveLength(2);
  expect(await actsAbout(`content:faq/${slug}`)).toHaveLength(2);
});

test("the same form sent again, even at the same moment, is one version and one act", async () => {
  const edit = question({ slug: "sent-twice", newId: randomUUID() });
  await Promise.all([saveContent(db, grace, edit, now), saveContent(db, grace, edit, now)]);
  await saveContent(db, grace, edit, later(1));
  expect((await findPieceWithHistory(db, "faq", "sent-twice"))?.versions).toHaveLength(1);
  expect(await actsAbout("content:faq/sent-twice")).toHaveLength(1);
});

test("a name in use, a name that is no name, and a text with an unknown number are refused", async () => {
  await saveContent(db, grace, question({ slug: "taken", newId: randomUUID() }), now);
  const refusals: [ContentEdit, string][] = [
    [question({ slug: "taken", newId: randomUUID(), answer: "Other" }), "content/slug-taken"],
    [question({ slug: defaultFaq[0]?.slug ?? "", newId: randomUUID() }), "content/slug-taken"],
    [question({ slug: "new", newId: randomUUID() }), "content/not-a-slug"],
    [question({ slug: "../etc", newId: randomUUID() }), "content/not-a-slug"],
    [question({ slug: "nobody-wrote-it" }), "content/not-found"],
    [
      question({ slug: "x", newId: randomUUID(), answer: "{dailyProfit}" }),
      "content/unknown-placeholder",
    ],
  ];
  for (const [edit, code] of refusals) {
    await expect(saveContent(db, grace, edit, now)).rejects.toMatchObject({ code });
  }
});

test("numbers of the terms stand in the text by name, and are filled in where it is shown", async () => {
  const slug = "minimum";
  const answer = "At least {minimumWithdrawal}.";
  await saveContent(db, grace, question({ slug, newId: randomUUID(), answer }), now);
  const shown = (await listFaqEntries(db)).find((entry) => entry.slug === slug);
  expect(shown?.answer).toBe("At least 0.0007 BTC.");
  const history = await findPieceWithHistory(db, "faq", slug);
  expect(history?.versions[0]?.body).toMatchObject({ answer });
});

test("a delivered answer stands until an operator writes it anew, and can be withdrawn and restored", async () => {
  const [delivered] = defaultFaq;
  if (!delivered) throw new Error("there is a delivered entry");
  const { slug } = delivered;
  const find = async () => (await listFaqEntries(db)).find((entry) => entry.slug === slug);
  expect((await find())?.question).toBe(delivered.question);
  await saveContent(db, grace, question({ slug, question: "Ours?" }), now);
  expect((await find())?.question).toBe("Ours?");
  const withdrawn = question({ slug, question: "Ours?", seenVersion: 1, state: "withdrawn" });
  await saveContent(db, grace, withdrawn, later(1));
  expect(await find()).toBeUndefined();
  const history = await findPieceWithHistory(db, "faq", slug);
  expect(history?.versions.at(-1)).toMatchObject({
    version: 0,
    author: null,
    body: { question: delivered.question, answer: delivered.answer },
  });
  const restored = history?.versions.at(-1)?.body as { question: string; answer: string };
  await saveContent(db, grace, question({ slug, seenVersion: 2, ...restored }), later(2));
  expect((await find())?.question).toBe(delivered.question);
});

test("questions move among delivered and own ones, and stay where they were put", async () => {
  await saveContent(db, grace, question({ slug: "mover", newId: randomUUID() }), now);
  const order = async () => (await listFaqForConsole(db)).map(({ slug }) => slug);
  const before = await order();
  expect(before.at(-1)).toBe("mover");
  const place = before.length;
  await moveFaqEntry(db, grace, { slug: "mover", from: place, by: -1 }, now);
  // Its answer was lost: it is not moved twice.
  await moveFaqEntry(db, grace, { slug: "mover", from: place, by: -1 }, now);
  const after = await order();
  expect(after.indexOf("mover")).toBe(before.length - 2);
  const [first = ""] = after;
  await moveFaqEntry(db, grace, { slug: first, from: 1, by: 1 }, now);
  expect((await order())[1]).toBe(first);
  const elsewhere = moveFaqEntry(db, grace, { slug: first, from: 4, by: 1 }, now);
  await expect(elsewhere).rejects.toMatchObject({ code: "content/moved-meanwhile" });
  await moveFaqEntry(db, grace, { slug: first, from: 2, by: -1 }, now);
  await moveFaqEntry(db, grace, { slug: first, from: 1, by: -1 }, now);
  expect(await order()).toEqual(after);
  await expect(
    moveFaqEntry(db, grace, { slug: "nobody", from: 1, by: 1 }, now),
  ).rejects.toMatchObject({
    code: "content/not-found",
  });
});

test("an announcement is shown from its time to its end, pinned ones first", async () => {
  await saveContent(db, grace, announcement("old", { publishedAt: later(-60).toISOString() }), now);
  await saveContent(
    db,
    grace,
    announcement("pinned", { pinned: true, publishedAt: later(-90).toISOString() }),
    now,
  );
  await saveContent(
    db,
    grace,
    announcement("future", { publishedAt: later(60).toISOString() }),
    now,
  );
  await saveContent(db, grace, announcement("short", { expiresAt: later(30).toISOString() }), now);
  const at = async (moment: Date, limit = 10) =>
    (await listAnnouncements(db, { limit, now: moment })).map(({ slug }) => slug);
  expect(await at(later(1))).toEqual(["pinned", "short", "old"]);
  expect(await at(later(30))).toEqual(["pinned", "old"]);
  expect(await at(later(60))).toEqual(["pinned", "future", "old"]);
  expect(await at(later(60), 1)).toEqual(["pinned"]);
});

test("a free name is found for any title", async () => {
  await saveContent(db, grace, announcement("maintenance", {}), now);
  expect(await findFreeSlug(db, "announcement", "maintenance")).toBe("maintenance-2");
  expect(await findFreeSlug(db, "announcement", "")).toBe("announcement");
  expect(await findFreeSlug(db, "announcement", "new")).toBe("new-2");
  expect(await findFreeSlug(db, "faq", defaultFaq[0]?.slug ?? "")).toMatch(/-2$/);
});

test("the company is empty until somebody writes it, and shows what was published", async () => {
  expect(await getCompany(db)).toEqual(emptyCompany);
  const body = {
    ...emptyCompany,
    name: "Example Mining Ltd",
    registration: "Register 12345",
    postalAddress: "Example Mining Ltd\n1 Mint Street\nLondon",
    officeHours: "Mon to Fri, 9 to 17 UTC",
  };
  const edit = { kind: "company", slug: "company", seenVersion: 0, newId: null, body } as const;
  await saveContent(db, grace, { ...edit, state: "draft" }, now);
  expect((await getCompany(db)).name).toBe("");
  expect(await footOfMail()).not.toContain("Example Mining");
  await saveContent(db, grace, { ...edit, seenVersion: 1, state: "published" }, now);
  expect(await getCompany(db)).toEqual(body);
  expect(await footOfMail()).toContain(
    "Example Mining Ltd, Register 12345\n1 Mint Street, London\n",
  );
  const gone = { ...edit, seenVersion: 2, body: emptyCompany, state: "withdrawn" } as const;
  await saveContent(db, grace, gone, now);
  expect(await footOfMail()).not.toContain("Example Mining");
});

/** What stands below a mail that is queued now. */
async function footOfMail(): Promise<string> {
  const content = alreadyRegisteredMail(testSite, { firstName: "Ada" });
  const mail = { to: "ada@example.com", userId: null, now, content };
  const { mailId } = await db.transaction((tx) => queueMail(tx, mail));
  const { rows } = await owner.query("select body_text from mails where id = $1", [mailId]);
  return rows[0].body_text.split("-- \n")[1];
}

test("nobody rewrites history: not the application, and not the owner of the tables", async () => {
  const change = "update content_versions set body = '{}'";
  await expect(owner.query(change)).rejects.toThrow("every version of a text is kept");
  await expect(db.$client.query(change)).rejects.toThrow("permission denied");
  await expect(db.$client.query("delete from content_versions")).rejects.toThrow(
    "permission denied",
  );
});

test("a suspended operator changes nothing", async () => {
  const olga = await createTestOperator(db);
  await changeTestOperator(owner, olga.id, { state: "suspended" });
  const edit = question({ slug: "suspended", newId: randomUUID() });
  await expect(saveContent(db, olga, edit, now)).rejects.toMatchObject({
    code: "identity/operator-not-active",
  });
  expect(await findPieceWithHistory(db, "faq", "suspended")).toBeNull();
});
