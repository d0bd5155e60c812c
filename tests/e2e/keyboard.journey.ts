import type { Locator, Page } from "@playwright/test";
import { offerTestPlan } from "../factories/contract.ts";
import { uniquePicture } from "../factories/deposit.ts";
import { createTestPrice } from "../factories/market.ts";
import { createTestFleet, dayAfter } from "../factories/mining.ts";
import { letWithdraw } from "../factories/withdrawal.ts";
import { appBeside } from "../setup/app-beside.ts";
import { expect, newEmail, password } from "./journey.ts";
import { test } from "./own-product.ts";

/** Goes on by Tab until the target has the focus; every stop on the way can be seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < 100; stops += 1) {
    await page.keyboard.press("Tab");
    const { name, ring } = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const around = [element, element.closest("label"), element.nextElementSibling];
      const isRinged = around.some((each) => {
        const style = each && getComputedStyle(each);
        return style && style.outlineStyle !== "none" && style.outlineWidth !== "0px";
      });
      // After the last stop the browser goes back to the page's beginning.
      const ring = element === document.body || isRinged;
      return { name: element.outerHTML.slice(0, 120), ring };
    });
    expect(ring, `a ring around ${name}`).toBe(true);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`the keyboard did not reach ${target}`);
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.type(text);
}

async function press(page: Page, control: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press(key);
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const entry = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Account" }).getByRole("link", { name });

test("by keyboard alone one signs up, deposits, buys and asks for a withdrawal", async ({
  page,
  product,
}) => {
  const { db, now } = appBeside(product);
  const at = now();
  const today = at.toISOString().slice(0, 10);
  await createTestFleet(db, { ghs: 1_000_000n, from: dayAfter(today, -60) });
  await offerTestPlan(db, { name: "Ninety days", termDays: 90, now: at });
  await createTestPrice(db, { asset: "BTC", usdE8: 100_000n * 10n ** 8n, observedAt: at });

  const slip = { name: "slip.png", mimeType: "image/png", buffer: await uniquePicture() };
  // Listened for from the start: a browser that is asked only now may open its own dialog first.
  page.on("filechooser", (chooser) => chooser.setFiles(slip));

  // Public pages were made when the product started, and are made anew when somebody asks.
  await expect(async () => {
    await page.goto("/plans");
    await expect(page.getByRole("heading", { name: "Ninety days" })).toBeVisible({ timeout: 500 });
  }).toPass();

  const email = newEmail("ada");
  await page.goto("/signup");
  await type(page, page.getByLabel("Firstname"), "Ada");
  await type(page, page.getByLabel("Lastname"), "Lovelace");
  await type(page, page.getByLabel("Email"), email);
  await type(page, page.getByLabel("Password", { exact: true }), password);
  await type(page, page.getByLabel("Confirm Password", { exact: true }), password);
  await press(page, page.getByRole("checkbox"), "Space");
  await press(page, button(page, /register|sign up/i));
  await expect(heading(page, "Dashboard")).toBeVisible();

  await press(page, entry(page, "Deposits"));
  await expect(heading(page, "Deposits")).toBeVisible();
  await type(page, page.getByLabel("Amount"), "75");
  await type(page, page.getByLabel("Method", { exact: true }), "USDT");
  await tabTo(page, page.locator('input[type="file"]'));
  await page.keyboard.press("Enter");
  await expect(page.getByText("slip.png")).toBeVisible();
  await press(page, button(page, "Submit for review"));
  await expect(page.getByText("Successfully saved")).toBeVisible();

  const { rows } = await db.$client.query("select id from users where email = $1", [email]);
  const address = "bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx";
  await letWithdraw(db, rows[0].id, { units: 1_000_000n, address, now: at });

  await press(page, entry(page, "Mining"));
  await press(page, page.getByRole("link", { name: "See the plans" }));
  await press(page, page.getByRole("main").locator('a[href^="/account/mining/buy"]').first());
  await press(page, page.getByRole("checkbox", { name: /I have read the terms/ }), "Space");
  await press(page, button(page, "Get a price"));
  const buy = button(page, /^Buy for/);
  await tabTo(page, buy);
  // For its first second a price cannot be bought by the key that asked for it.
  await expect(buy).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "What happens next" })).toBeVisible();

  await press(page, entry(page, "Withdraw"));
  // React runs the page by now, so the new one's title has the focus and the way to its fields is short.
  await expect(heading(page, "Withdraw")).toBeFocused();
  await type(page, page.getByLabel("Amount in BTC"), "0.002");
  await press(page, button(page, "Request withdrawal"));
  await expect(page.getByText("Confirm it by e-mail")).toBeVisible();
});
