import type { Browser, Page } from "@playwright/test";
import { delays } from "#core/terms.ts";
import { within } from "../setup/slowness.ts";
import { expect, expectAccessible, newEmail, signUp, test } from "./journey.ts";

const heroText = "Secure Trading and Bitcoin Cloud Mining Services";
const tagline =
  "The easiest, safest and fastest web app for cryptocurrency trading, mining and investments globally.";

/** A page of a visitor without JavaScript. */
async function plainPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    ...(baseURL && { baseURL }),
  });
  return context.newPage();
}

test("the first page says what the service is, and has one thing to do", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heroText);
  await expect(page.getByText(tagline)).toBeVisible();
  const costs = page.getByRole("region", { name: "What mining costs, and who carries it" });
  await expect(costs.getByRole("heading", { level: 3 })).toHaveText([
    "Electricity",
    "Premises",
    "Cooling and ventilation",
    "Secure investment",
    "24/7 monitoring",
    "Technical skills",
  ]);
  await page.getByRole("link", { name: "Open an account" }).click();
  await expect(page).toHaveURL(/\/signup$/);
});

test("bar and footer lead where the specification says", async ({ page }) => {
  await page.goto("/about");
  const bar = page.getByRole("navigation", { name: "Main" });
  await expect(bar.getByRole("link", { name: "FAQ" })).toHaveAttribute("href", "/faq");
  await expect(bar.getByRole("link", { name: "Log in" })).toHaveAttribute("href", "/login");
  await expect(bar.getByRole("link", { name: "Sign Up" })).toHaveAttribute("href", "/signup");
  const footer = page.getByRole("contentinfo");
  const links = await footer
    .getByRole("navigation")
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
  expect(links).toEqual([
    ["Home", "/"],
    ["About", "/about"],
    ["Services", "/services"],
    ["Plans", "/plans"],
    ["Calculator", "/calculator"],
    ["News", "/news"],
    ["Contact", "/contact"],
    ["FAQ", "/faq"],
    ["Glossary", "/glossary"],
    ["Sample receipt", "/receipt"],
    ["Daily proof", "/proof"],
    ["Status", "/status"],
    ["Prices", "/prices"],
    ["Check a statement", "/verify-statement"],
    ["Software", "/about#software"],
    ["Dashboard", "/account/dashboard"],
    ["Deposit", "/account/deposit"],
    ["Withdraw", "/account/withdraw"],
    ["Transactions", "/account/transactions"],
    ["Privacy Policy", "/terms?tab=privacy"],
    ["Terms of Service", "/terms"],
    ["Cookie Policy", "/terms?tab=cookies"],
  ]);
  for (const [, href] of links) {
    expect((await page.request.get(href ?? "")).status(), href ?? "").toBe(200);
  }
  await page.getByRole("banner").getByRole("link", { name: "Assay" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("the spinner turns for the first 3 seconds, in the bar alone", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/");
  const spinner = page.locator("[data-spinner]");
  const bar = await page.getByRole("banner").boundingBox();
  const ring = await spinner.boundingBox();
  expect(ring?.y ?? 0).toBeGreaterThanOrEqual(bar?.y ?? Number.NaN);
  expect((ring?.y ?? 0) + (ring?.height ?? 0)).toBeLessThan((bar?.y ?? 0) + (bar?.height ?? 0));
  // The style's own clock is set, so that no machine is too slow for the second that matters.
  const seenAt = (ms: number) =>
    spinner.evaluate((element, at) => {
      for (const animation of element.getAnimations()) {
        animation.pause();
        animation.currentTime = at;
      }
      return getComputedStyle(element).visibility;
    }, ms);
  expect(await seenAt(delays.navigationSpinnerMs - 50)).toBe("visible");
  expect(await seenAt(delays.navigationSpinnerMs + 50)).toBe("hidden");
});

test("without JavaScript, and with less motion, the spinner goes too; the content never waited for it", async ({
  browser,
  baseURL,
}) => {
  const plain = await plainPage(browser, baseURL);
  await plain.emulateMedia({ reducedMotion: "reduce" });
  await plain.goto("/");
  await expect(plain.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(plain.locator("[data-spinner]")).toBeVisible();
  await expect(plain.locator("[data-spinner]")).toBeHidden({ timeout: within(5_000) });
  await plain.context().close();
});

test("a payout is followed step by step, by pointer and by keyboard", async ({ page }) => {
  await page.goto("/");
  const steps = page.getByRole("region", { name: "How a payout becomes a credit" });
  const shown = steps.getByRole("heading", { level: 3 });
  await expect(shown).toHaveText("The machines work");
  await steps.getByText("Next: The pool pays").click();
  await expect(shown).toHaveText("The pool pays");
  await page.keyboard.press("ArrowDown");
  await expect(shown).toHaveText("Shares are weighed");
  await expect(steps.getByText("0.00004190").first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(shown).toHaveText("The figure is stamped");
  // A loss is shown as plainly as a gain.
  await expect(steps.getByText("−0.00000607")).toBeVisible();
});

test("one question is open at a time", async ({ page }) => {
  await page.goto("/");
  const open = page.locator("details[name=questions][open]");
  await expect(open).toHaveCount(1);
  await page.locator("summary", { hasText: "How do I withdraw?" }).click();
  await expect(open).toHaveCount(1);
  await expect(open.locator("summary")).toHaveText("How do I withdraw?");
  await open.locator("summary").click();
  await expect(open).toHaveCount(0);
});

test("the tour is loaded only for who wants it, and has captions", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/");
  const play = page.getByRole("link", { name: "Play the tour" });
  await play.scrollIntoViewIfNeeded();
  await expect.poll(() => asked).toContain("/tour/tour.webp");
  expect(asked).not.toContain("/tour/tour.webm");
  await play.press("Enter");
  const film = page.locator("video");
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.readyState)).toBe(4);
  expect(asked).toContain("/tour/tour.webm");
  const captions = await film.evaluate((video: HTMLVideoElement) => video.textTracks[0]?.mode);
  expect(captions).toBe("showing");
  await page.getByText("What the tour shows, in words").click();
  await expect(page.getByText("No one can set a balance, the operator included.")).toBeVisible();
});

test("everything on the first page works without JavaScript", async ({ browser, baseURL }) => {
  const plain = await plainPage(browser, baseURL);
  await plain.setViewportSize({ width: 360, height: 740 });
  await plain.goto("/");
  await plain.locator("summary[aria-label=Menu]").click();
  const bar = plain.getByRole("navigation", { name: "Main" });
  await expect(bar.getByRole("link", { name: "Log in" })).toBeVisible();
  await expect(bar.getByRole("link", { name: "Sign Up" })).toBeVisible();
  await plain.locator("summary[aria-label=Menu]").click();
  await plain.getByText("Next: The pool pays").click();
  await expect(plain.getByRole("heading", { name: "The pool pays" })).toBeVisible();
  await plain.locator("summary", { hasText: "How do I withdraw?" }).click();
  await expect(plain.locator("details[name=questions][open]")).toHaveCount(1);
  // Which slide has been scrolled to is not known without a script, so no dot says so. How many there are is another journey's to change.
  await expect(plain.locator("[data-dot][aria-current]")).toHaveCount(0);
  await expect(plain.locator("video")).toBeVisible();
  await expect(plain.getByRole("link", { name: "Play the tour" })).toBeHidden();
  // The system's colours by style alone, and dark ink on paper.
  const title = plain.getByRole("heading", { level: 1 });
  await expect(title).toHaveCSS("color", "rgb(22, 24, 29)");
  await plain.emulateMedia({ colorScheme: "dark" });
  await expect(title).toHaveCSS("color", "rgb(236, 233, 227)");
  await expect(plain.locator("body")).toHaveCSS("background-color", "rgb(20, 22, 26)");
  await plain.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(title).toHaveCSS("color", "rgb(22, 24, 29)");
  await plain.context().close();
});

test("the mobile menu opens, and closes by Escape", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  const bar = page.getByRole("navigation", { name: "Main" });
  const menu = page.locator("summary[aria-label=Menu]");
  await expect(bar.getByRole("link", { name: "Log in" })).toBeHidden();
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(bar.getByRole("link", { name: "Log in" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(bar.getByRole("link", { name: "Log in" })).toBeHidden();
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await bar.getByRole("link", { name: "Sign Up" }).click();
  await expect(page).toHaveURL(/\/signup$/);
});

test("the keyboard alone reaches everything, and shows where it is", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  const reached = new Set<string>();
  for (let presses = 0; presses < 120; presses++) {
    const { name, ring, end } = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement;
      const seen = element.closest("label") ?? element;
      const { outlineStyle, outlineWidth } = getComputedStyle(seen);
      return {
        name: element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "",
        ring: outlineStyle !== "none" && outlineWidth !== "0px",
        end: element === document.body,
      };
    });
    if (end) break;
    expect(ring, `a ring around ${name}`).toBe(true);
    reached.add(name);
    await page.keyboard.press("Tab");
  }
  for (const name of ["Plans", "FAQ", "Log in", "Sign Up", "Open an account", "Recompute"]) {
    expect(reached, name).toContain(name);
  }
  for (const name of ["Play the tour", "All questions", "Subscribe", "Cookie Policy"]) {
    expect(reached, name).toContain(name);
  }
});

test("an address that is nobody's says so, in the title too", async ({ page }) => {
  const answer = await page.goto("/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page).toHaveTitle("Ohh!! · Assay");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ohh!!");
  await page.getByRole("link", { name: "Back home" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heroText);
});

test("a page that did not come says so, by what came instead", async ({ page }) => {
  await signUp(page, newEmail());
  await page.route("**/transactions.data*", (route) => route.fulfill({ status: 429, body: "" }));
  await page.getByRole("link", { name: "Transactions" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unexpected Application Error");
  await expect(
    page.getByText("An unexpected error occurred. Please try again later."),
  ).toBeVisible();
  await expect(page.getByRole("link", { name: "Reload" })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Back home" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heroText);
});

test("a lost connection says so, and can be tried again", async ({ browser, baseURL }) => {
  // A page of its own: here the browser is expected to log that nothing came.
  const context = await browser.newContext(baseURL ? { baseURL } : {});
  const page = await context.newPage();
  await signUp(page, newEmail());
  await page.route("**/transactions.data*", (route) => route.abort("internetdisconnected"));
  await page.getByRole("link", { name: "Transactions" }).click();
  await expect(
    page.getByText("Your internet connection seems to be unstable. Please reload the page."),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(
    "Unexpected Application Error",
  );
  await context.close();
});

/** What is animated: once a delay is over, or also while one lasts. */
function animated(page: Page, { inDelay }: { inDelay: boolean }): Promise<string[]> {
  return page.evaluate(
    (counts) =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === "running")
        .map(({ effect }) => effect as KeyframeEffect)
        .filter((effect) => counts || effect.getComputedTiming().progress !== null)
        .flatMap((effect) => effect.getKeyframes().flatMap((keyframe) => Object.keys(keyframe)))
        .filter((name) => !["offset", "computedOffset", "easing", "composite"].includes(name)),
    inDelay,
  );
}

test("nothing moves for who wants less motion", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  await page.evaluate(() => document.fonts.ready);
  // The spinner's end is timed by an animation too, that moves nothing.
  const moving = async () =>
    (await animated(page, { inDelay: true })).filter((name) => name !== "visibility");
  await expect.poll(moving).toEqual([]);
});

test("what moves while the page loads costs no style: the compositor moves it", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("/", { waitUntil: "commit" });
  await page.locator("[data-spinner]").waitFor();
  expect(new Set(await animated(page, { inDelay: false }))).toEqual(new Set(["transform"]));
});

test("on paper the page is words and pictures, without bars and buttons", async ({ page }) => {
  await page.goto("/");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
  await expect(page.getByText("Play the tour")).toBeHidden();
  for (const step of ["The machines work", "The pool pays", "The figure is stamped"]) {
    await expect(page.getByRole("heading", { name: step })).toBeVisible();
  }
});
