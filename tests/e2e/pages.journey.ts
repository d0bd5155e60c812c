import { listedPaths } from "../../app/site/seo/listed-paths.ts";
import {
  becomeOperator,
  declareDeposit,
  expect,
  expectSound,
  newEmail,
  signUp,
  test,
} from "./journey.ts";

const publicPages = [
  ...listedPaths,
  "/terms?tab=terms&compare=0.1",
  "/forgotpassword",
  "/resetpassword?token=none",
  "/verify-email?token=none",
  "/nowhere",
];
const accountPages = [
  "/account/deposit",
  "/account/withdraw",
  "/account/transactions",
  "/account/profile",
  "/account/verification",
  "/account/profile/close",
  "/account/security",
  "/account/security/history",
];
/** What is looked at in one sitting; two sittings take their time side by side. */
const consolePages = {
  "for what the site says": [
    "/operator/messages",
    "/operator/newsletter",
    "/operator/newsletter/new",
    "/operator/newsletter/subscribers",
    "/operator/content",
    "/operator/content/faq/new",
    "/operator/content/announcement/new",
    "/operator/content/company/company",
    "/operator/content/testimonials",
    "/operator/news",
  ],
  "for everything else": [
    "/operator",
    "/operator/search?q=test",
    "/operator/markets",
    "/operator/jobs",
    "/operator/audit",
    "/operator/staff",
    "/operator/verification",
    "/operator/security",
  ],
};

for (const path of publicPages) {
  test(`${path} is sound at every width, light and dark`, async ({ page }) => {
    await expectSound(page, path);
  });
}

test("the account's pages are sound, empty and with a deposit", async ({ page }) => {
  test.setTimeout(120_000);
  await signUp(page, newEmail());
  for (const path of ["/account", ...accountPages]) await expectSound(page, path);
  await declareDeposit(page, "75", "USDT");
  const deposit = page.locator('a[href^="/account/deposit/"]').first();
  await expectSound(page, (await deposit.getAttribute("href")) ?? "");
  for (const path of ["/account", "/account/deposit"]) await expectSound(page, path);
});

test("the console's lists are sound, and what they lead to", async ({ page }) => {
  test.setTimeout(120_000);
  await signUp(page, newEmail());
  await declareDeposit(page, "75", "USDT");
  await page.context().clearCookies();
  await becomeOperator(page);
  for (const [list, details] of [
    ["/operator/deposits", "/operator/deposits/"],
    ["/operator/customers", "/operator/customers/"],
    ["/operator/mail", "/operator/mail/"],
  ] as const) {
    await expectSound(page, list);
    const link = page.locator(`a[href^="${details}"]`).first();
    await expectSound(page, (await link.getAttribute("href")) ?? "");
  }
});

for (const [what, paths] of Object.entries(consolePages)) {
  test(`the console's pages ${what} are sound`, async ({ page }) => {
    test.setTimeout(120_000);
    await becomeOperator(page);
    for (const path of paths) await expectSound(page, path);
  });
}

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
