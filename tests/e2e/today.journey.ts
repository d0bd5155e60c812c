import type { Page } from "@playwright/test";
import {
  becomeOperator,
  declareDeposit,
  expect,
  expectAccessible,
  newEmail,
  signInAsStaff,
  signUp,
  someLetters,
  test,
} from "./journey.ts";

/** A customer with a name of their own, one of whose deposits waits. */
async function someoneWaits(page: Page): Promise<{ name: string; email: string }> {
  const lastName = `Kurz${someLetters()}`;
  const email = newEmail("kurz");
  await signUp(page, email, ["Petra", lastName]);
  await declareDeposit(page, "$320.00", "Ethereum");
  return { name: `Petra ${lastName}`, email };
}

test("the console opens on what waits, leads to it, and finds a customer from anywhere by the keyboard", async ({
  page,
  browser,
}) => {
  const { name, email } = await someoneWaits(page);
  const staff = await (await browser.newContext()).newPage();
  await staff.setViewportSize({ width: 1280, height: 900 });
  await becomeOperator(staff);
  await expect(staff.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();
  await expect(staff.getByText(/^Worker seen/)).toBeVisible();

  // All of it is on one screen; the way to the first sale is below it.
  const panels = staff.getByRole("region").filter({ hasNotText: "Your way to the first sale" });
  const bottoms = await panels.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().bottom),
  );
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(900);

  const waiting = staff.getByRole("region", { name: "Waiting" });
  await waiting.getByRole("link", { name: /deposits? to review$/ }).click();
  await expect(staff).toHaveURL(/\/operator\/deposits$/);
  await expect(staff.getByRole("link", { name })).toBeVisible();
  const place = staff.getByRole("navigation", { name: "Pages of Money" });
  await expect(place.getByRole("link", { name: /^Deposits/ })).toHaveAttribute(
    "aria-current",
    "page",
  );

  // From anywhere, also out of a field.
  await staff.keyboard.press("Control+k");
  await staff.keyboard.type(email);
  await staff.keyboard.press("Enter");
  const found = staff.getByRole("region", { name: "Customers" });
  await expect(found.getByRole("link", { name })).toBeVisible();
  await expectAccessible(staff);
  await staff.keyboard.press("Escape");
  await staff.keyboard.press("j");
  await staff.keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name })).toBeVisible();
  await staff.keyboard.press("/");
  await expect(staff.getByRole("searchbox", { name: "Search the console" })).toBeFocused();
  await staff.context().close();
});

test("groups of pages open by the keyboard, mark the place, and close again", async ({ page }) => {
  await becomeOperator(page);
  const console = page.getByRole("navigation", { name: "Console" });
  const mining = console.getByText("Mining", { exact: true });
  await mining.focus();
  await page.keyboard.press("Enter");
  await expect(console.getByRole("link", { name: "Fleet" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(console.getByRole("link", { name: "Fleet" })).toBeHidden();
  await page.keyboard.press("Enter");
  await console.getByRole("link", { name: "Fleet" }).click();
  await expect(page).toHaveURL(/\/operator\/fleet$/);
  await expect(console.getByRole("link", { name: "Fleet" })).toBeHidden();
  await expect(page.locator("summary[aria-current=true]")).toContainText("Mining");
  const row = page.getByRole("navigation", { name: "Pages of Mining" });
  await row.getByRole("link", { name: "Plans" }).click();
  await expect(page.getByRole("heading", { name: "Plans", level: 1 })).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  await console.getByText("System", { exact: true }).click();
  await console.getByRole("link", { name: "Audit log" }).click();
  await expect(page).toHaveURL(/\/operator\/audit$/);
});

test("Today, the groups and the search need no JavaScript; the morning's e-mail is switched off", async ({
  page,
  browser,
}) => {
  const { name } = await someoneWaits(page);
  const scripted = await (await browser.newContext()).newPage();
  const email = await becomeOperator(scripted);
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await signInAsStaff(plain, email);
  await plain.goto(new URL("/operator", scripted.url()).href);
  await expect(plain.getByRole("link", { name: /deposits? to review$/ })).toBeVisible();
  await plain.locator("summary").filter({ hasText: "People" }).click();
  await expect(plain.getByRole("link", { name: "Verification" })).toBeVisible();
  await plain.getByRole("searchbox", { name: "Search the console" }).fill(name.split(" ")[1] ?? "");
  await plain.keyboard.press("Enter");
  await plain.getByRole("link", { name }).click();
  await expect(plain.getByRole("heading", { name })).toBeVisible();

  await plain.goto(new URL("/operator/security", scripted.url()).href);
  await plain.getByRole("button", { name: "Switch it off" }).click();
  await expect(plain.getByText("The morning e-mail is switched off")).toBeVisible();
  await expect(plain.getByRole("button", { name: "Switch it on" })).toBeVisible();
  await plain.context().close();
  await scripted.context().close();
});
