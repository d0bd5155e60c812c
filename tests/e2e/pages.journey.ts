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

/** What is looked at in one sitting; two sittings take their time side by side. */
const publicPages = {
  "that search engines list": listedPaths,
  "that they do not list": [
    "/terms?tab=terms&compare=1.0",
    "/forgotpassword",
    "/resetpassword?token=none",
    "/verify-email?token=none",
    "/nowhere",
  ],
};
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
/** Those of them that other journeys look at with axe, and these measure alone. */
const morePages = [
  "/account",
  "/account/mining",
  "/account/mining/buy",
  "/account/messages",
  "/account/messages/new",
  "/account/help",
  "/account/notices",
  "/account/profile/emails",
  "/account/profile/display",
  "/account/profile/data",
];
const consolePages = {
  "for what the site says": [
    "/operator/messages",
    "/operator/newsletter",
    "/operator/content",
    "/operator/content/faq/new",
    "/operator/content/announcement/new",
    "/operator/content/company/company",
    "/operator/content/testimonials",
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

for (const [what, paths] of Object.entries(publicPages)) {
  test(`the public pages ${what} are sound`, async ({ page }) => {
    for (const path of paths) await expectSound(page, path);
  });
}

test("the account's pages are sound, empty and with a deposit", async ({ page }) => {
  await signUp(page, newEmail());
  for (const path of ["/account", ...accountPages]) await expectSound(page, path);
  await declareDeposit(page, "75", "USDT");
  const deposit = page.locator('a[href^="/account/deposit/"]').first();
  await expectSound(page, (await deposit.getAttribute("href")) ?? "");
  for (const path of ["/account", "/account/deposit"]) await expectSound(page, path);
});

test("no page of an account sticks out of a phone, however long names, addresses and figures are", async ({
  page,
}) => {
  const name = ["Wilhelmina-Alexandrina Maximil", "Featherstonehaugh-Cholmondeley"] as const;
  await signUp(page, newEmail(`${"a-rather-long-name-".repeat(2)}of`), name);
  await declareDeposit(page, "75", "Ethereum");
  const deposit = page.locator('a[href^="/account/deposit/"]').first();
  const details = (await deposit.getAttribute("href")) ?? "";
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of [...accountPages, ...morePages, details]) {
    await page.goto(path);
    await page.evaluate(lengthenFigures);
    const { right, end } = await page.evaluate(() => ({
      right: document.body.getBoundingClientRect().right,
      end: document.documentElement.scrollWidth,
    }));
    expect(end, `${path} sticks out`).toBeLessThanOrEqual(right);
  }
  await page.goto("/account");
  const balances = page.getByRole("group", { name: "Balances per coin" });
  const [inside, whole] = await balances.evaluate((of) => [of.clientWidth, of.scrollWidth]);
  expect(whole, "a phone shows the balances without scrolling").toBeLessThanOrEqual(inside ?? 0);
  const header = await page.getByRole("link", { name: "Notices" }).boundingBox();
  expect(header?.y, "a long name takes no more than its two lines").toBeLessThan(90);
});

/** Every figure on the page becomes as long as it can be; nothing else does. */
function lengthenFigures(): void {
  for (const figure of document.querySelectorAll("data")) {
    const text = figure.textContent ?? "";
    const [significant, zeros] = figure.querySelectorAll("span");
    if (text.includes("$")) figure.textContent = "−$999,999,999.99";
    else if (significant && text.includes("ETH")) {
      significant.textContent = "−120,000,000.123456789012345678";
    } else if (significant) {
      significant.textContent = "−21,000,000.00000000";
      zeros?.replaceChildren();
    }
  }
}

test("the console's lists are sound, and what they lead to", async ({ page }) => {
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
