import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { defaultFaq } from "#server/content/default-faq.ts";
import { createTestCustomer } from "#tests/factories/customer.ts";
import { createTestOperator } from "#tests/factories/operator.ts";
import { signInAs } from "#tests/setup/sign-in-as.ts";
import { testApp } from "#tests/setup/test-app.ts";

const product = await testApp();
const { db, owner } = product;
const grace = await createTestOperator(db, { firstName: "Grace", lastName: "Hopper" });
const cookie = await signInAs(product, grace);
const alansCookie = await signInAs(
  product,
  await createTestOperator(db, { firstName: "Alan", lastName: "Turing" }),
);
const ada = await createTestCustomer(db, { firstName: "Ada", lastName: "Lovelace" });
const adasCookie = await signInAs(product, ada);

async function read(path: string, who: string | undefined = cookie) {
  const answer = await product.request(path, who ? { cookie: who } : {});
  return { status: answer.status, html: plain(await answer.text()), headers: answer.headers };
}

async function send(path: string, form: Record<string, string>, who = cookie) {
  const answer = await product.request(path, { cookie: who, form });
  const location = answer.headers.get("location") ?? "";
  return { status: answer.status, location, html: plain(await answer.text()) };
}

function plain(html: string): string {
  return html
    .replace(/<script(?! type="application\/ld)[\s\S]*?<\/script>/g, "")
    .replaceAll("<!-- -->", "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

const faq = (slug: string) => `/operator/content/faq/${slug}`;
const slug = defaultFaq[0]?.slug ?? "";

test("a text that is wrong is told so at its field, and nothing typed is lost", async () => {
  const typed = { question: "", answer: "At most {dailyProfit} and {riches}", seenVersion: "0" };
  const { status, html } = await send(faq(slug), { intent: "publish", ...typed });
  expect(status).toBe(400);
  expect(html).toContain("Write the question");
  expect(html).toContain("No number has this name: {dailyProfit}, {riches}");
  expect(html).toContain("At most {dailyProfit} and {riches}</textarea>");
  const late = {
    intent: "publish",
    title: "T",
    text: "Text",
    publishedAt: "2026-12-02T10:00",
    expiresAt: "2026-12-01T10:00",
    newId: randomUUID(),
    seenVersion: "0",
  };
  const wrongEnd = await send("/operator/content/announcement/new", late);
  expect(wrongEnd.html).toContain("It must end after it begins");
  expect(wrongEnd.html).toContain('value="2026-12-01T10:00"');
  const company = { intent: "publish", email: "nobody", phone: "call me", seenVersion: "0" };
  const wrongCompany = await send("/operator/content/company/company", company);
  expect(wrongCompany.html).toContain("Write an e-mail address, or nothing");
  expect(wrongCompany.html).toContain("Write a telephone number, or nothing");
});

test("a preview without script shows the text and saves nothing", async () => {
  const typed = { question: "Preview?", answer: "It is {minimumAge}.", seenVersion: "0" };
  const { status, html } = await send(faq(slug), { intent: "preview", ...typed });
  expect(status).toBe(200);
  expect(html).toMatch(/<summary[^>]*>Preview\?<\/summary>[\s\S]*It is 18\./);
  expect((await read("/faq", undefined)).html).not.toContain("Preview?");
});

test("who saves second is shown what the first wrote, keeps his own words, and may put them on top", async () => {
  const edit = (answer: string, seenVersion: string) => ({
    intent: "draft",
    question: "Whose?",
    answer,
    seenVersion,
  });
  expect((await send(faq(slug), edit("Grace's words", "0"))).status).toBe(302);
  const second = await send(faq(slug), edit("Alan's words", "0"), alansCookie);
  expect(second.status).toBe(409);
  expect(second.html).toContain("Another version was saved while you wrote");
  expect(second.html).toContain("Grace Hopper saved version 1");
  expect(second.html).toContain("Alan's words</textarea>");
  const seen = /name="seenVersion" value="(\d+)"/.exec(second.html)?.[1] ?? "";
  expect(seen).toBe("1");
  expect((await send(faq(slug), edit("Alan's words", seen), alansCookie)).status).toBe(302);
  const { html } = await read(`${faq(slug)}?compare=1&restore=1`);
  expect(html).toContain("These are the words of version 1");
  expect(html).toContain("Grace's words</textarea>");
  expect(html).toMatch(/<del>Grace's?[\s\S]*<ins>Alan's?/);
});

test("a new question whose answer was lost is still that question when its words are mended", async () => {
  const form = { newId: randomUUID(), slug: "lost-answer", intent: "draft", question: "Lost?" };
  const path = "/operator/content/faq/new";
  await send(path, { ...form, answer: "Frist words.", seenVersion: "0" });
  const mended = { ...form, answer: "First words." };
  const refused = await send(path, { ...mended, seenVersion: "0" });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("First words.</textarea>");
  const seenVersion = /name="seenVersion" value="(\d+)"/.exec(refused.html)?.[1] ?? "";
  const saved = await send(path, { ...mended, slug: "", seenVersion });
  expect(saved.location).toBe(`${faq("lost-answer")}?saved=2`);
  const { html } = await read(faq("lost-answer"));
  expect(html).toContain("First words.</textarea>");
  const acts = await owner.query("select subject from audit_log where subject = $1", [
    "content:faq/lost-answer",
  ]);
  expect(acts.rowCount).toBe(2);
});

test("a draft is no business of the site; published it is; withdrawn it is gone", async () => {
  const newId = randomUUID();
  const form = { question: "Is it shown?", answer: "Now it is.", newId, seenVersion: "0" };
  const made = await send(faq("new"), { intent: "draft", ...form });
  expect(made.location).toBe("/operator/content/faq/is-it-shown?saved=1");
  const again = await send(faq("new"), { intent: "draft", ...form });
  expect(again.location).toBe(made.location);
  const other = { ...form, newId: randomUUID(), slug: "is-it-shown", intent: "draft" };
  expect((await send(faq("new"), other)).html).toContain("Another question has this name");
  await send(faq("is-it-shown"), { intent: "publish", ...form, seenVersion: "1" });
  const { html } = await read("/faq?q=shown", undefined);
  expect(html).toContain("Is it shown?");
  const structured = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(
    await (await product.request("/faq?q=shown")).text(),
  );
  const data = JSON.parse(structured?.[1] ?? "{}");
  expect(data["@type"]).toBe("FAQPage");
  expect(data.mainEntity.map(({ name }: { name: string }) => name)).toContain("Is it shown?");
  await send(faq("is-it-shown"), { intent: "withdraw", ...form, seenVersion: "2" });
  const { html: overview } = await read("/operator/content");
  expect(overview).toContain("Not shown");
});

test("texts of law, other kinds and names that are none are not edited here", async () => {
  for (const path of [
    "/operator/content/terms/terms",
    "/operator/content/company/other",
    "/operator/content/faq/nobody-wrote-it",
    "/operator/content/announcement/nobody",
    `/operator/content/testimonials/${randomUUID()}`,
    "/operator/content/testimonials/1",
    "/operator/content/invite/1",
  ]) {
    expect((await read(path)).status, path).toBe(404);
    const { status } = await send(path, { intent: "publish", question: "a", answer: "b" });
    expect([400, 404], path).toContain(status);
  }
  const form = { intent: "publish", question: "a", answer: "b", seenVersion: "0" };
  expect((await send(faq("nobody-wrote-it"), form)).status).toBe(400);
});

test("a NUL, markup and a script in a text do no harm", async () => {
  const form = {
    intent: "publish",
    question: "Ha\0rm?",
    answer: "<script>alert(1)</script> [x](javascript:alert(1))",
    newId: randomUUID(),
    seenVersion: "0",
  };
  expect((await send(faq("new"), form)).status).toBe(302);
  const page = await (await product.request("/faq?q=harm")).text();
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).not.toContain('href="javascript:');
  expect(page).not.toMatch(/<script>alert/);
});

test("the company stands in the footer as soon as it is published", async () => {
  const form = { intent: "publish", name: "Example Mining Ltd", seenVersion: "0" };
  expect((await send("/operator/content/company/company", form)).status).toBe(302);
  expect((await read("/about?fresh=1", undefined)).html).toContain("Example Mining Ltd");
});

test("a customer is asked, agrees, and is shown only as long as he agrees", async () => {
  expect((await read("/account/testimonial", adasCookie)).html).toContain("do not ask for any");
  const asked = await send(`/operator/content/invite/${ada.id}`, { invitation: "Please?" });
  expect(asked.location).toMatch(/^\/operator\/content\/testimonials\//);
  const path = "/account/testimonial";
  const agreement = {
    intent: "agree",
    words: "The numbers added up <b>on three days</b>.",
    nameForm: "first-and-initial",
    role: "",
    image: "none",
  };
  const wrong = await send(path, { ...agreement, words: "no", nameForm: "King" }, adasCookie);
  expect(wrong.status).toBe(400);
  expect(wrong.html).toContain("At least 20 characters");
  expect((await send(path, agreement, adasCookie)).status).toBe(302);
  const { html } = await read(asked.location);
  expect(html).toContain("“The numbers added up &lt;b&gt;on three days&lt;/b&gt;.”");
  const consentId = /name="consentId" value="([^"]+)"/.exec(html)?.[1] ?? "";
  await send(path, { ...agreement, words: "Meanwhile I think otherwise of it." }, adasCookie);
  const late = await send(asked.location, { intent: "publish", consentId });
  expect(late.status).toBe(409);
  expect(late.html).toContain("took these words back or changed them");
  const { html: newer } = await read(asked.location);
  const newConsent = /name="consentId" value="([^"]+)"/.exec(newer)?.[1] ?? "";
  expect((await send(asked.location, { intent: "publish", consentId: newConsent })).status).toBe(
    302,
  );
  expect((await read(path, adasCookie)).html).toContain("These words are on our site");
  expect((await send(path, { intent: "revoke" }, adasCookie)).status).toBe(302);
  const { rows } = await owner.query("select published_consent_id from testimonials");
  expect(rows).toEqual([{ published_consent_id: null }]);
});
