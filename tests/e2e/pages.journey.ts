import type { Page } from "@playwright/test";
import {
  becomeOperator,
  declareDeposit,
  expect,
  expectAccessible,
  newEmail,
  signUp,
  test,
} from "./journey.ts";

const publicPages = [
  "/",
  "/about",
  "/services",
  "/contact",
  "/faq",
  "/terms",
  "/login",
  "/signup",
  "/forgotpassword",
  "/resetpassword?token=none",
  "/verify-email?token=none",
  "/nowhere",
];
const accountPages = [
  "/account",
  "/account/deposit",
  "/account/withdraw",
  "/account/transactions",
  "/account/profile",
  "/account/verification",
];
const consolePages = ["/operator", "/operator/customers", "/operator/mail", "/operator/audit"];
const widths = [360, 768, 1280];

/** axe is content, nothing sticks out sideways, nothing moves after the page has been painted. */
async function expectSound(page: Page, path: string) {
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.goto(path);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${path} at ${width} px sticks out`).toBeLessThanOrEqual(0);
    }
    await expectAccessible(page);
  }
}

test("public pages are sound at every width, light and dark", async ({ page }) => {
  test.setTimeout(180_000);
  for (const path of publicPages) await expectSound(page, path);
});

test("the account's and the console's pages are sound too", async ({ page, browser }) => {
  test.setTimeout(240_000);
  await signUp(page, newEmail());
  for (const path of accountPages) await expectSound(page, path);
  await declareDeposit(page, "75", "USDT");
  const deposit = page.locator('a[href^="/account/deposit/"]').first();
  await expectSound(page, (await deposit.getAttribute("href")) ?? "");
  await expectSound(page, "/account/deposit");
  await expectSound(page, "/account");

  const context = await browser.newContext();
  const operator = await context.newPage();
  await becomeOperator(operator);
  for (const path of consolePages) await expectSound(operator, path);
  for (const [list, details] of [
    ["/operator", "/operator/deposits/"],
    ["/operator/customers", "/operator/customers/"],
    ["/operator/mail", "/operator/mail/"],
  ]) {
    await operator.goto(list ?? "");
    const link = operator.locator(`a[href^="${details}"]`).first();
    await expectSound(operator, (await link.getAttribute("href")) ?? "");
  }
  await context.close();
});

test("errors say what the specification says, with and without JavaScript", async ({
  page,
  browser,
}) => {
  const answer = await page.goto("/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("Ohh!!")).toBeVisible();
  await expect(page.getByText("We can't seem to find the page you are looking for")).toBeVisible();
  await page.getByRole("link", { name: "Back home" }).click();
  await expect(page).toHaveURL(/\/$/);
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const other = await plain.newPage();
  await other.goto(`${new URL(page.url()).origin}/nowhere`);
  await expect(other.getByText("Ohh!!")).toBeVisible();
  await plain.close();
});
