import { listedPaths } from "../../app/site/seo/listed-paths.ts";
import { expect, expectAccessible, test } from "./journey.ts";

test("a first visit reads what this is, recomputes a receipt, and finds plans and the way in", async ({
  page,
}) => {
  await page.goto("/");
  await expect(
    page.getByText("Rent Bitcoin hashrate by the day. Every payout comes with a receipt you can"),
  ).toContainText("Trading is not offered yet.");
  await expect(page.getByRole("list", { name: "How to start" }).getByRole("listitem")).toHaveText([
    "Verify e-mail",
    "Deposit",
    "Buy first contract refundable for 24 h",
  ]);
  await page.getByRole("button", { name: "Recompute" }).press("Enter");
  await expect(page.getByText(/Match: all \d+ steps agree to the satoshi/)).toBeVisible();
  await page.getByText("The steps, one by one").click();
  await expect(page.getByText("What the pools paid")).toBeVisible();
  await expectAccessible(page);
  const bar = page.getByRole("navigation", { name: "Main" });
  await bar.getByRole("link", { name: "Plans" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Plans" })).toBeVisible();
  await bar.getByRole("link", { name: "How it works" }).click();
  await expect(page).toHaveURL(/\/services#mining$/);
});

test("the sample receipt and the glossary are there without a script", async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  await page.goto("/receipt");
  await expect(page.getByRole("button", { name: "Recompute" })).toBeHidden();
  await expect(page.locator("noscript p", { hasText: "needs JavaScript" })).toBeVisible();
  await page.getByRole("link", { name: "Maintenance fee" }).click();
  await expect(page).toHaveURL(/\/glossary#maintenance-fee$/);
  await expect(page.getByText("What power, premises, cooling and care cost")).toBeVisible();
  await context.close();
});

test("a word of the trade is explained where the pointer is, and by keyboard", async ({ page }) => {
  await page.goto("/receipt");
  const term = page.getByRole("link", { name: "Credit", exact: true });
  await term.hover();
  await expect(page.getByRole("tooltip")).toContainText("Your share of a payout");
  await page.keyboard.press("Escape");
  await page.mouse.move(0, 0);
  await page.getByRole("link", { name: "hashrate", exact: true }).focus();
  await page.keyboard.press("Tab");
  await expect(term).toBeFocused();
  await expect(page.getByRole("tooltip")).toContainText("Your share of a payout");
});

test("the calculator follows a slider by keyboard, with the result above the form on a phone", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(
    "/calculator?plan=own&ths=100&days=30&cost=60&fee=0.03&price=65000&difficulty=118&fees=0.02&change=0",
  );
  const result = page.getByRole("heading", { level: 2, name: /, a (?:gain|loss)$/ });
  await expect(result).toBeVisible();
  const slider = page.getByRole("slider", { name: "Bitcoin price change, over the term" });
  expect((await result.boundingBox())?.y).toBeLessThan((await slider.boundingBox())?.y ?? 0);
  const before = await result.textContent();
  await slider.focus();
  for (let presses = 0; presses < 6; presses += 1) await page.keyboard.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuetext", /^\+30.%$/);
  await expect(result).not.toHaveText(before ?? "");
  await expect(page).toHaveURL(/change=30/);
  // Still in view, however far down the form is.
  await page.getByText("Figures of another offer").scrollIntoViewIfNeeded();
  await expect(result).toBeInViewport();
  await expect(page.getByRole("img", { name: /The same money in bitcoin/ })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page);
});

test("questions are found by customers' own words, and what is not found goes to us", async ({
  page,
}) => {
  await page.goto("/faq");
  const search = page.getByRole("searchbox");
  await search.fill("KYC");
  await expect(page.getByText("Will I have to prove who I am?")).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Deposits" })).toBeHidden();
  await search.fill("flying saucers");
  await expect(page.getByRole("status")).toHaveText("No results. Try other words, or write to us.");
  await page.getByRole("button", { name: "Write to us" }).click();
  await expect(page).toHaveURL(/\/contact\?q=flying\+saucers$/);
  await expect(page.getByLabel("Subject")).toHaveValue("flying saucers");
});

test("the contact form says in its own words what is missing", async ({ page }) => {
  await page.goto("/contact");
  const email = page.getByRole("main").getByLabel("Email");
  await page.getByLabel("Full name").focus();
  await page.keyboard.press("Tab");
  // Passing through is no mistake.
  await expect(page.getByLabel("Full name")).not.toHaveAttribute("aria-invalid");
  await email.fill("nobody at home");
  await page.getByLabel("Subject").focus();
  await expect(email).toHaveAccessibleDescription(/such as name@example\.com/);
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByLabel("Full name")).toBeFocused();
  await expect(page.getByLabel("Full name")).toHaveAccessibleDescription(
    "Please enter your full name",
  );
  await expect(page).toHaveURL(/\/contact$/);
  await email.fill("ada@example.com");
  await expect(email).not.toHaveAttribute("aria-invalid");
});

test("every public page begins at the logo's left edge", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of listedPaths.filter((each) => !/^\/(?:signup|login)$/.test(each))) {
    await page.goto(path);
    const logo = await page.getByRole("banner").getByRole("link").first().boundingBox();
    const title = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(title?.x, path).toBe(logo?.x);
  }
});

test("bars, keys and chosen steps are seen in forced colours, and nothing is cut off", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of ["/", "/plans", "/calculator", "/faq", "/receipt"]) {
    await page.goto(path);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await page.goto("/faq");
  const plus = await page
    .locator("summary", { hasText: "What is cloud mining?" })
    .evaluate((summary) => getComputedStyle(summary, "::after").content);
  expect(plus).toBe('"+"');
  await page.goto("/");
  const chosen = page.locator("label", { has: page.locator("#payout-step-1") });
  const other = page.locator("label", { has: page.locator("#payout-step-2") });
  const ground = (label: typeof chosen) =>
    label.evaluate(
      (each) => getComputedStyle(each.querySelector("span") as Element).backgroundColor,
    );
  expect(await ground(chosen)).not.toBe(await ground(other));
});
