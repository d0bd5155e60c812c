import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import {
  becomeOperator,
  declareDeposit,
  expect,
  newEmail,
  nextCode,
  password,
  signUp,
  someLetters,
  test,
} from "./journey.ts";

const txid = () => `0x${randomBytes(32).toString("hex")}`;

/** A customer of whom a deposit waits. */
async function someoneDeposits(page: Page, firstName: string): Promise<string> {
  const lastName = `Morgen${someLetters()}`;
  await page.context().clearCookies();
  await signUp(page, newEmail("morning"), [firstName, lastName]);
  await declareDeposit(page, "$640.00", "Ethereum");
  return `${firstName} ${lastName}`;
}

/** By Tab alone, forwards. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  await expect(part).toBeVisible();
  for (let stops = 0; stops < 60; stops += 1) {
    if (await part.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`not reached by Tab: ${part}`);
}

/** By `j` through the rows of a list or of Today. */
async function rowTo(page: Page, name: string | RegExp): Promise<void> {
  const row = page.locator("main").getByRole("link", { name }).first();
  await expect(row).toBeVisible();
  for (let rows = 0; rows < 80; rows += 1) {
    if (await row.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("j");
  }
  throw new Error(`no row by j: ${name}`);
}

test("a reviewer's morning goes by the keyboard alone, from signing in to signing out", async ({
  page,
  browser,
}) => {
  test.slow();
  const first = await someoneDeposits(page, "Ida");
  const second = await someoneDeposits(page, "Udo");
  await page.goto("/account/messages/new");
  const subject = `When does it arrive? ${someLetters()}`;
  await page.getByLabel("Subject").fill(subject);
  await page.getByLabel("Message", { exact: true }).fill("I paid in yesterday.");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("heading", { name: subject })).toBeVisible();
  const elsewhere = await (await browser.newContext()).newPage();
  const email = await becomeOperator(elsewhere);

  const staff = await (await browser.newContext()).newPage();
  const { keyboard } = staff;
  await staff.goto(new URL("/login", elsewhere.url()).href);
  await tabTo(staff, staff.getByLabel("Email"));
  await keyboard.type(email);
  await tabTo(staff, staff.getByLabel("Password", { exact: true }));
  await keyboard.type(password);
  await keyboard.press("Enter");
  await staff.waitForURL("**/login/second-factor**");
  await tabTo(staff, staff.getByLabel("Code"));
  await keyboard.type(nextCode(email));
  await keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name: "Today", level: 1 })).toBeVisible();

  // What waits leads to the list, a row to the case.
  await rowTo(staff, /deposits? to review$/);
  await keyboard.press("Enter");
  await expect(staff).toHaveURL(/\/operator\/deposits$/);
  await rowTo(staff, first);
  await keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name: `$640.00 by ${first}` })).toBeVisible();
  await keyboard.press("a");
  await keyboard.press("ControlOrMeta+a");
  await keyboard.type("0.25");
  await tabTo(staff, staff.getByLabel("Transaction id"));
  await keyboard.type(txid());
  await keyboard.press("Enter");
  await expect(staff.getByRole("button", { name: "Confirm and post" })).toBeEnabled();
  await keyboard.press("a");
  await keyboard.press("Enter");
  await expect(staff.getByText("The deposit is approved and credited")).toBeVisible();

  // Back to the list; the other one did not arrive.
  await keyboard.press("q");
  await rowTo(staff, second);
  await keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name: `$640.00 by ${second}` })).toBeVisible();
  await keyboard.press("r");
  await tabTo(staff, staff.getByRole("link", { name: "Nothing arrived" }));
  await keyboard.press("Enter");
  await expect(staff.getByLabel("Reason")).toHaveValue(/has not arrived/);
  await tabTo(staff, staff.getByRole("button", { name: "Reject and tell the customer" }));
  await keyboard.press("Enter");
  await expect(staff.getByText("The deposit is rejected")).toBeVisible();

  // What is left is found by its name, answered, and the list sorted by its head.
  await keyboard.press("Control+k");
  await keyboard.type(second);
  await keyboard.press("Enter");
  await rowTo(staff, second);
  await keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name: second })).toBeVisible();
  const people = staff.getByRole("navigation", { name: "Pages of People" });
  await tabTo(staff, people.getByRole("link", { name: /^Messages/ }));
  await keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name: "Messages", level: 1 })).toBeVisible();
  await rowTo(staff, subject);
  await keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name: subject })).toBeVisible();
  await keyboard.press("a");
  await keyboard.type("It did not arrive. Please send it again.");
  await tabTo(staff, staff.getByRole("button", { name: "Send answer" }));
  await keyboard.press("Enter");
  await expect(staff.getByText("The answer is on its way")).toBeVisible();

  await tabTo(staff, staff.getByRole("button", { name: "Sign Out" }));
  await keyboard.press("Enter");
  await expect(staff.getByRole("heading", { name: "Log in" })).toBeVisible();
  await staff.context().close();
  await elsewhere.context().close();
});
