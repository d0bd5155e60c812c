import type { Page } from "@playwright/test";
import { expect, newEmail, signUp, test } from "./journey.ts";

const publicPages = [
  ...["/", "/about", "/services", "/contact", "/faq", "/news", "/terms", "/prices"],
  ...["/login", "/signup", "/forgotpassword"],
];

const seen = [
  ...["display", "position", "visibility", "width", "height", "padding", "border"],
  ...["border-radius", "color", "background-color", "background-image", "font", "letter-spacing"],
  ...["text-align", "text-decoration", "white-space", "gap", "grid-template-columns", "flex"],
  ...["justify-content", "align-items", "overflow", "z-index", "fill", "stroke", "content"],
];

/**
 * Where every element on the page stands and what it looks like, in the order of the document.
 * Margins are not asked for: under load Chromium tells 0 of an automatic one that it has laid out rightly. Nor is the place of
 * what is folded away: it has one only if something has asked for it before.
 */
function looks(page: Page): Promise<string[]> {
  return page.evaluate((properties) => {
    const of = (element: Element, part?: string) => {
      const style = getComputedStyle(element, part);
      if (part && style.content === "none") return "";
      return properties.map((name) => style.getPropertyValue(name)).join("; ");
    };
    return [...document.body.querySelectorAll("*")]
      .filter((element) => !["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName))
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const place = element.checkVisibility()
          ? `${x},${y + scrollY} ${width}x${height}`
          : "folded away";
        const parts = [of(element), of(element, "::before"), of(element, "::after")];
        return [element.tagName, place, ...parts].join(" | ");
      });
  }, seen);
}

/** With its fonts, which a visit's first page asks for when it has been drawn. */
async function untilWhole(page: Page): Promise<void> {
  await expect(page.locator("html")).not.toHaveAttribute("data-fonts");
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
}

test("public pages keep their own policy and load no script of React's", async ({ page }) => {
  for (const path of [...publicPages, "/nowhere"]) {
    const scripts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "script") scripts.push(request.url());
    });
    await page.addInitScript(() => {
      const broken: string[] = [];
      Object.assign(window, { broken });
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        broken.push(`${violatedDirective} ${blockedURI}`);
      });
    });
    await page.goto(path, { waitUntil: "networkidle" }).catch(() => page.waitForTimeout(500));
    expect(await page.evaluate(() => (window as unknown as { broken: string[] }).broken)).toEqual(
      [],
    );
    expect(
      scripts.filter((url) => /react|entry|root/.test(url)),
      path,
    ).toEqual([]);
    page.removeAllListeners("request");
  }
});

test("a visit's first page is laid out whole from the first moment", async ({ page }) => {
  for (const path of ["/", "/about", "/faq"]) {
    await page.goto(path, { waitUntil: "domcontentloaded" });
    const skipped = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("h1, h2, section, summary, footer")]
        .filter((part) => part.offsetParent !== null || part.tagName === "FOOTER")
        .filter((part) => !part.checkVisibility({ contentVisibilityAuto: true }))
        .map((part) => part.textContent),
    );
    expect(skipped, path).toEqual([]);
  }
});

test("a page with only the styles that it needs looks the same as with all of them", async ({
  page,
  context,
  baseURL,
}) => {
  test.setTimeout(180_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of ["/", "/faq", "/terms"]) {
    await context.clearCookies();
    await page.goto(path);
    await untilWhole(page);
    expect(await page.locator('link[rel="stylesheet"]').count(), path).toBe(0);
    const trimmed = await looks(page);
    // Whom the page before left a word for is not given the page that is kept.
    await context.addCookies([{ name: "flash", value: "none", url: baseURL ?? "" }]);
    await page.goto(path);
    await untilWhole(page);
    expect(await page.locator('link[rel="stylesheet"]').count(), path).toBeGreaterThan(0);
    const whole = await looks(page);
    expect(trimmed.length, path).toBe(whole.length);
    const different = trimmed.flatMap((look, place) =>
      look === whole[place] ? [] : [`${look}, not ${whole[place]}`],
    );
    expect(different, path).toEqual([]);
  }
});

test("colours are chosen by a menu that keyboard and pointer close, for all pages", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/about");
  const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
  const menu = page.locator("details[data-colours]");
  const button = page.getByLabel("Colours: As the system");
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(menu).toHaveAttribute("open", "");
  await page.keyboard.press("Escape");
  await expect(menu).not.toHaveAttribute("open", "");
  await expect(button).toBeFocused();
  await button.click();
  await page.getByRole("button", { name: "Dark" }).click();
  expect(await scheme()).toBe("dark");
  await expect(page.getByLabel("Colours: Dark")).toBeFocused();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveCSS("color", "rgb(22, 24, 29)");
  await page.emulateMedia({ media: null });
  await page.goto("/login");
  expect(await scheme()).toBe("dark");
  await page.getByLabel("Colours: Dark").click();
  await page.getByRole("button", { name: "As the system" }).click();
  expect(await scheme()).toBe("light");
  await page.goto("/");
  expect(await scheme()).toBe("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(scheme).toBe("dark");
});

test("from a page that React runs the way to a public one loads the document", async ({ page }) => {
  await signUp(page, newEmail());
  await page.goto("/account/profile");
  await page.waitForLoadState("networkidle");
  await page.locator('a[href="/"]').click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const isReacts = () => page.evaluate(() => "__reactRouterContext" in window);
  expect(await isReacts()).toBe(false);
  // Also where a link forgot to say so: the router itself leads here.
  await page.goto("/account/profile");
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    const { navigate } = (
      window as unknown as { __reactRouterDataRouter: { navigate(to: string): void } }
    ).__reactRouterDataRouter;
    navigate("/faq#top");
  });
  await expect(page).toHaveURL(/\/faq/);
  await expect.poll(isReacts).toBe(false);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Profile", level: 1 })).toBeVisible();
});
