import { randomBytes } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import {
  becomeOperator,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newEmail,
  signUp,
  someLetters,
  test,
} from "./journey.ts";

const mark = () => randomBytes(4).toString("hex");

async function anOperator(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await becomeOperator(page);
  return page;
}

/** A public page is kept for some seconds: asks again until it says what is expected. */
async function untilShown(page: Page, path: string, shows: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(
      async () => {
        // From elsewhere: an address that differs by its hash alone would not be asked for again.
        await page.goto("about:blank");
        await page.goto(path);
        return shows();
      },
      { intervals: [500] },
    )
    .toBe(true);
}

test("a question is written with a live preview, published, found, linked to and restored", async ({
  page,
  browser,
}) => {
  const word = mark();
  const console = await anOperator(browser);
  await console.goto("/operator/content/faq/new");
  await console.getByLabel("Question").fill(`What is ${word}?`);
  await console.getByLabel("Answer").fill(`At least **{minimumWithdrawal}**.\n\n- one\n- two`);
  const preview = console.getByRole("region", { name: "As visitors will see it" });
  await expect(preview.getByText("0.0007 BTC")).toBeVisible();
  await expect(preview.getByRole("listitem")).toHaveText(["one", "two"]);
  await expectAccessible(console);
  await console.getByRole("button", { name: "Save as draft" }).click();
  await expect(console.getByText("Saved as a draft")).toBeVisible();
  await page.goto("/faq");
  await expect(page.getByText(`What is ${word}?`)).toHaveCount(0);
  await console.getByRole("button", { name: "Publish" }).click();
  await expect(console.getByText("Published. The site shows it")).toBeVisible();

  const slug = `what-is-${word}`;
  const entry = page.locator("[data-question]", { hasText: `What is ${word}?` });
  await untilShown(page, `/faq#${slug}`, async () => (await entry.count()) > 0);
  await expect(entry).toHaveJSProperty("open", true);
  await page.getByText("Who may use the service?").click();
  await expect(entry).toHaveJSProperty("open", false);
  await page.getByRole("searchbox").fill(word.toUpperCase());
  await expect(page.getByRole("status")).toHaveText(/^1 of \d+ questions$/);
  await expect(page.getByText("Who may use the service?")).toBeHidden();
  await expect(page).toHaveURL(`/faq?q=${word.toUpperCase()}`);
  await expectAccessible(page);

  await console.getByLabel("Answer").fill("Something else entirely.");
  await console.getByRole("button", { name: "Publish" }).click();
  await expect(console.getByRole("link", { name: "Restore 2" })).toBeVisible();
  await console.getByRole("link", { name: "Compare 2 with 3" }).click();
  await expect(console.locator("del").first()).toBeVisible();
  await console.getByRole("link", { name: "Restore 2" }).click();
  await expect(console.getByLabel("Answer")).toHaveValue(/\{minimumWithdrawal\}/);
  await console.getByRole("button", { name: "Publish" }).click();
  await expect(console.getByRole("link", { name: "Restore 3" })).toBeVisible();
  await console.context().close();
});

test("of two who edit the same text the second loses nothing and overwrites nothing unseen", async ({
  browser,
}) => {
  const [first, second] = [await anOperator(browser), await anOperator(browser)];
  const slug = `edited-twice-${mark()}`;
  await first.goto("/operator/content/faq/new");
  await first.getByLabel("Question").fill("Edited twice?");
  await first.getByLabel("Name in addresses").fill(slug);
  await first.getByLabel("Answer").fill("The first answer.");
  await first.getByRole("button", { name: "Publish" }).click();
  await expect(first.getByText("Published. The site shows it")).toBeVisible();
  const scriptComes = Promise.withResolvers<void>();
  await second.route("**/assets/*.js", async (route) => {
    await scriptComes.promise;
    await route.continue();
  });
  await second.goto(`/operator/content/faq/${slug}`, { waitUntil: "commit" });
  await second.getByLabel("Answer").fill("The answer of the second");
  scriptComes.resolve();
  await expect(second.getByRole("region", { name: "As visitors will see it" })).toContainText(
    "The answer of the second",
  );
  await second.getByLabel("Answer").press(".");
  await first.getByLabel("Answer").fill("The answer of the first.");
  await first.getByRole("button", { name: "Publish" }).click();
  await expect(first.getByText("Compare 1 with 2")).toBeVisible();
  await second.getByRole("button", { name: "Publish" }).click();
  await expect(second.getByText("Another version was saved while you wrote")).toBeVisible();
  await expect(second.getByLabel("Answer")).toHaveValue("The answer of the second.");
  await expect(second.locator("del")).toContainText("first");
  await second.getByRole("button", { name: "Publish" }).click();
  await expect(second.getByText("Compare 2 with 3")).toBeVisible();
  await first.context().close();
  await second.context().close();
});

test("words that are not saved are not left by a slip of the finger", async ({ browser }) => {
  const console = await anOperator(browser);
  await console.goto("/operator/content/announcement/new");
  await console.getByLabel("Title").fill("Half a thought");
  const leave = async (answer: "accept" | "dismiss") => {
    const answered = console.waitForEvent("dialog").then((question) => question[answer]());
    await console.locator("summary").filter({ hasText: "People" }).click();
    await console.getByRole("link", { name: "Customers" }).click();
    await answered;
  };
  await leave("dismiss");
  await expect(console.getByLabel("Title")).toHaveValue("Half a thought");
  await leave("accept");
  await expect(console).toHaveURL(/customers/);
  await console.context().close();
});

test("an announcement stands on the timeline, the landing page and the feed", async ({
  page,
  browser,
}) => {
  const word = mark();
  const console = await anOperator(browser);
  await console.goto("/operator/content/announcement/new");
  await console.getByLabel("Title").fill(`Announced ${word} <b>`);
  await console.getByRole("textbox", { name: "Text" }).fill("Maintenance [on Sunday](/contact).");
  await console.getByRole("button", { name: "Publish" }).click();
  await expect(console.getByText("Published. The site shows it")).toBeVisible();
  const heading = page.getByRole("heading", { name: `Announced ${word} <b>` });
  await untilShown(page, "/news", async () => (await heading.count()) > 0);
  await expectAccessible(page);
  await untilShown(page, "/", async () => (await heading.count()) > 0);
  const feed = await page.locator('link[type="application/atom+xml"]').getAttribute("href");
  const atom = await (await page.request.get(feed ?? "")).text();
  expect(atom).toContain(`<title>Announced ${word} &lt;b&gt;</title>`);

  await console.context().close();
});

test("samples advance every five seconds, rest under the pointer, and give way to a real customer's words", async ({
  page,
  browser,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  // The page's clock stands still but for what is asked of it: no machine is too slow for five seconds.
  await page.clock.install({ time: Date.now() });
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.goto("/");
  const carousel = page.locator("[data-carousel]");
  const current = carousel.locator("[data-dot][aria-current]");
  await expect(carousel.getByText("Sample", { exact: true }).first()).toBeVisible();
  await carousel.scrollIntoViewIfNeeded();
  await page.clock.runFor(4_900);
  await expect(current).toHaveText("Slide 1");
  await page.clock.runFor(200);
  await expect(current).toHaveText("Slide 2");
  await carousel.getByRole("link", { name: "Slide 3" }).click();
  await expect(current).toHaveText("Slide 3");
  await expect(carousel.locator("#slide-3")).toBeInViewport({ ratio: 0.9 });
  // Under the pointer, then with the focus inside, then by the button.
  await carousel.locator("blockquote").nth(2).hover();
  await page.clock.runFor(11_000);
  await expect(current).toHaveText("Slide 3");
  await page.mouse.move(0, 0);
  await page.clock.runFor(11_000);
  await expect(current).toHaveText("Slide 3");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.clock.runFor(5_100);
  await expect(current).toHaveText("Slide 1");
  await carousel.getByRole("button", { name: "Pause" }).click();
  await page.mouse.move(0, 0);
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.clock.runFor(11_000);
  await expect(current).toHaveText("Slide 1");
  await page.clock.resume();

  const name = someLetters();
  const email = newEmail("kofi");
  const customer = await (await browser.newContext()).newPage();
  await signUp(customer, email, ["Kofi", `Mensah${name}`]);
  const console = await anOperator(browser);
  await console.goto(`/operator/customers?q=${name}`);
  await console.getByRole("link", { name: `Kofi Mensah${name}` }).click();
  await console.getByLabel("A word to the customer").fill("You wrote us such a kind letter.");
  await console.getByRole("button", { name: "Ask for a few words" }).click();
  await expect(console.getByText("The customer agrees to nothing at the moment")).toBeVisible();

  await customer.goto(linkIn(await mailTo(email, /few words/)));
  await customer.getByLabel("Your words").fill("short");
  await customer.getByRole("button", { name: "I agree that this is shown" }).click();
  await expect(customer.getByText("At least 20 characters")).toBeVisible();
  const words = `I compared three days myself ${name}.`;
  await customer.getByLabel("Your words").fill(words);
  await customer.getByLabel("Your name").selectOption("initials");
  await expect(customer.locator("figure")).toContainText("K. M.");
  await expectAccessible(customer);
  await customer.getByRole("button", { name: "I agree that this is shown" }).click();
  await expect(customer.getByText("You agreed to these words")).toBeVisible();

  await console.reload();
  await expectAccessible(console);
  await console.getByRole("button", { name: "Publish these words" }).click();
  await expect(console.getByText("The slide is published")).toBeVisible();
  await untilShown(page, "/", async () => (await page.getByText(words).count()) > 0);
  await expect(page.getByText("Sample", { exact: true })).toHaveCount(0);
  await customer.reload();
  await customer.getByRole("button", { name: "Remove my words" }).click();
  await expect(customer.getByText("We show none of your words").first()).toBeVisible();
  await untilShown(page, "/", async () => (await page.getByText(words).count()) === 0);
  await expect(page.locator("[data-carousel]")).toHaveCount(0);
  await customer.context().close();
  await console.context().close();
});

test("questions, their search and links to them need no JavaScript", async ({
  browser,
  baseURL,
}) => {
  const plain = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await plain.newPage();
  await page.goto("/faq?q=Is+it+guaranteed%3F");
  await expect(page.getByRole("status")).toHaveText(/of \d+ questions/);
  await expect(page.locator("[data-question]:visible").first()).toBeVisible();
  await page.goto("/faq");
  const question = (index: number) => page.locator("[data-question]").nth(index);
  await question(0).locator("summary").click();
  await question(1).locator("summary").click();
  await expect(question(0)).toHaveJSProperty("open", false);
  await page.goto("/faq?q=zzqa");
  await expect(page.getByText(/^No results\./)).toBeVisible();
  await page.getByRole("link", { name: "Show all questions" }).click();
  await expect(page.locator("[data-question]:visible").first()).toBeVisible();
  await page.goto("/faq#is-profit-guaranteed");
  const named = page.locator("[data-question]:has(#is-profit-guaranteed)");
  await expect(named).toHaveJSProperty("open", true);
  await plain.close();
});
