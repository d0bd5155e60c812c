import { expect, newEmail, signUp, test } from "./journey.ts";

const publicPages = [
  ...["/", "/about", "/services", "/contact", "/faq", "/news", "/terms", "/prices"],
  ...["/login", "/signup", "/forgotpassword"],
];

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

test("colours are chosen by a menu that keyboard and pointer close, for all pages", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/about");
  const scheme = () => page.locator("html").getAttribute("data-scheme");
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
  const ink = page.getByRole("heading", { level: 1 });
  await expect(ink).toHaveCSS("color", "rgb(22, 24, 29)");
  await page.goto("/");
  expect(await scheme()).toBeNull();
  await expect(ink).toHaveCSS("color", "rgb(22, 24, 29)");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(ink).toHaveCSS("color", "rgb(236, 233, 227)");
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
