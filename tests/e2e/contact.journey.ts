import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import {
  becomeOperator,
  expect,
  expectAccessible,
  type Mail,
  mailTo,
  newEmail,
  test,
} from "./journey.ts";

async function anOperator(browser: Browser): Promise<{ page: Page; email: string }> {
  const page = await (await browser.newContext()).newPage();
  return { page, email: await becomeOperator(page) };
}

async function fill(page: Page, email: string, subject: string, message: string) {
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByRole("main").getByLabel("Email").fill(email);
  await page.getByLabel("Subject").fill(subject);
  await page.getByLabel("Message", { exact: true }).fill(message);
}

/** The link in a mail's text that leads to this path. */
function linkTo(mail: Mail, path: string): string {
  const links = mail.text.match(/https?:\/\/\S+/g) ?? [];
  const found = links.find((link) => new URL(link).pathname.startsWith(path));
  if (!found) throw new Error(`no link to ${path} in: ${mail.text}`);
  return found;
}

/** Something in a subject that no other run has. */
const unique = () => newEmail("x").slice(2, 12);

test("a visitor writes, is acknowledged, is answered from the console, and answers back", async ({
  page,
  browser,
}) => {
  test.slow();
  const { page: console, email: operator } = await anOperator(browser);
  const email = newEmail("writer");
  const subject = `Fees ${unique()}`;
  await page.goto("/contact");
  await expectAccessible(page);
  await fill(page, email, subject, "What does a month cost?\n\nAda");
  // The script solved the challenge while this was typed, or does so now: nobody waits four seconds.
  await page.getByRole("button", { name: "Send message" }).click();
  await page.waitForURL("**/contact/sent?reference=*");
  await expectAccessible(page);
  const reference = (await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent()) ?? "";
  const acknowledged = await mailTo(email, /We received your message/);
  expect(acknowledged.subject).toContain(reference);
  expect(acknowledged.text).not.toContain("What does a month cost");

  const told = await mailTo(operator, new RegExp(subject));
  expect(told.text).toContain("What does a month cost?");
  await console.goto("/operator/messages");
  await expectAccessible(console);
  await console.goto(linkTo(told, "/operator/messages/"));
  await expect(console.getByRole("heading", { name: subject })).toBeVisible();
  await expect(console.getByText("The address belongs to no account")).toBeVisible();
  await expectAccessible(console);
  await console.keyboard.press("a");
  await console.keyboard.type("It costs what the terms say.");
  await console.getByRole("button", { name: "Send answer" }).click();
  await expect(console.getByText("The answer is on its way")).toBeVisible();

  const answer = await mailTo(email, /^Re: Fees/);
  expect(answer.text).toContain("It costs what the terms say.");
  await page.goto(linkTo(answer, "/contact/answer"));
  await expect(page.getByText(reference)).toBeVisible();
  await page.getByLabel("Message", { exact: true }).fill("And two months?");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.waitForURL("**/contact/sent?reference=*");
  await console.goto(`/operator/messages?q=${reference}`);
  await console.getByRole("link", { name: subject }).click();
  const words = console.getByRole("list", { name: "What was said" }).getByRole("listitem");
  await expect(words).toHaveText([/a month cost/, /Olga Prober.*the terms say/, /two months/]);
  // What was answered is no spam.
  await expect(console.getByRole("button", { name: "Mark as spam" })).toHaveCount(0);
  await console.getByRole("button", { name: "Close without an answer" }).click();
  await expect(console.getByText("The message is closed")).toBeVisible();
  await console.goto(`/operator/messages?state=closed&q=${reference}`);
  await expect(console.getByRole("link", { name: subject })).toBeVisible();
  await console.context().close();
});

test("without a script errors stand under their fields, and nothing typed is lost", async ({
  browser,
}) => {
  const { page: console } = await anOperator(browser);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    extraHTTPHeaders: { "x-forwarded-for": "198.19.7.7" },
  });
  const plain = await context.newPage();
  const subject = `Plain ${unique()}`;
  await plain.goto(new URL("/contact", console.url()).href);
  await fill(plain, newEmail("plain"), subject, "Words that took an hour");
  await plain.getByLabel("Full name").fill("www.buy.example");
  await plain.getByRole("button", { name: "Send message" }).click();
  await expect(plain.getByText("Your message was not sent")).toBeVisible();
  await expect(plain.getByLabel("Full name")).toHaveAccessibleDescription(
    "Please enter your full name",
  );
  await expect(plain.getByLabel("Full name")).toBeFocused();
  await expect(plain.getByLabel("Message", { exact: true })).toHaveValue("Words that took an hour");
  await plain.getByLabel("Full name").fill("Ada Lovelace");
  // A form without a script must be a few seconds old; until then it says so, and keeps what was typed.
  const arrived = plain.getByRole("heading", { name: "Your message has arrived" });
  const tooFast = plain.getByText("That was faster than people usually write");
  await expect(async () => {
    if (plain.url().includes("/contact/sent")) return;
    await plain.getByRole("button", { name: "Send message" }).click();
    await expect(arrived.or(tooFast)).toBeVisible();
    expect(plain.url()).toContain("/contact/sent");
  }).toPass({ intervals: [2_000] });
  await console.goto(`/operator/messages?q=${encodeURIComponent(subject)}`);
  await expect(console.getByRole("link", { name: subject })).toHaveCount(1);
  await context.close();
  await console.context().close();
});

/** Asks for the newsletter in the footer, and confirms by the mailed link. */
async function subscribe(page: Page, path: string): Promise<string> {
  const email = newEmail("reader");
  await page.goto(path);
  const footer = page.getByRole("contentinfo");
  await footer.getByLabel("Newsletter").fill(email);
  await footer.getByRole("button", { name: "Subscribe" }).click();
  await page.waitForURL("**/newsletter/asked");
  const link = linkTo(await mailTo(email, /^Confirm that you want/), "/newsletter/confirm");
  // What looks at mail for viruses opens the link, and confirms nothing.
  expect((await page.request.get(link)).ok()).toBe(true);
  await page.goto(link);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Confirm the newsletter" }).click();
  await page.waitForURL("**/newsletter/confirmed");
  return email;
}

test("visitors subscribe and confirm, their list is taken away as a file, and each leaves by its link or by one click", async ({
  page,
  browser,
}) => {
  test.slow();
  const { page: console } = await anOperator(browser);
  const [byPage, byClick] = [await subscribe(page, "/faq"), await subscribe(page, "/contact")];
  await console.goto("/operator/newsletter");
  await expectAccessible(console);
  const [download] = await Promise.all([
    console.waitForEvent("download"),
    console.getByRole("link", { name: /CSV/ }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^subscribers-.*\.csv$/);
  const file = readFileSync(await download.path(), "utf8");
  const linkOf = (email: string) =>
    new RegExp(`^${email},.*(http[^",\\s]+/newsletter/unsubscribe[^",\\s]+)`, "m").exec(
      file,
    )?.[1] ?? "";
  await page.goto(linkOf(byPage));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await page.waitForURL("**/newsletter/unsubscribed");

  // As a mail program does it: no cookie, no origin.
  const link = linkOf(byClick);
  const click = await fetch(link, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    redirect: "error",
  });
  expect(click.status).toBe(200);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "You are unsubscribed" })).toBeVisible();

  await console.goto("/operator/newsletter?state=ended");
  await expect(console.getByRole("row").filter({ hasText: byClick })).toContainText("one click");
  await expectAccessible(console);
  // The file is of those who get issues, so only their list leads to it.
  await expect(console.getByRole("link", { name: /CSV/ })).toHaveCount(0);
  await console.context().close();
});
