import { randomBytes } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import {
  becomeOperator,
  declareDeposit,
  expect,
  newEmail,
  signInAsStaff,
  signUp,
  someLetters,
  test,
} from "./journey.ts";

const txid = () => `0x${randomBytes(32).toString("hex")}`;

/** A customer with a name of his own who has declared a deposit by Ethereum. */
async function someoneDeposits(page: Page, amount = "$640.00"): Promise<string> {
  const lastName = `Weber${someLetters()}`;
  await signUp(page, newEmail("jonas"), ["Jonas", lastName]);
  await declareDeposit(page, amount, "Ethereum");
  return `Jonas ${lastName}`;
}

async function anOperator(browser: Browser): Promise<{ page: Page; email: string }> {
  const page = await (await browser.newContext()).newPage();
  const email = await becomeOperator(page);
  await page.goto("/operator/deposits");
  return { page, email };
}

async function focused(page: Page, read: "name" | "text"): Promise<string> {
  return page.evaluate((what) => {
    const at = document.activeElement;
    return (what === "name" ? at?.getAttribute("name") : at?.textContent) ?? "";
  }, read);
}

test("a deposit is reviewed from the keyboard alone", async ({ page, browser }) => {
  const name = await someoneDeposits(page);
  const { page: console } = await anOperator(browser);
  await expect(console.getByRole("link", { name })).toBeVisible();
  for (let row = 0; (await focused(console, "text")) !== name; row += 1) {
    expect(row, "rows passed by j").toBeLessThan(60);
    await console.keyboard.press("j");
  }
  await console.keyboard.press("Enter");
  await expect(console.getByRole("heading", { name: `$640.00 by ${name}` })).toBeVisible();
  const address = console.url();

  await console.keyboard.press("a");
  expect(await focused(console, "name")).toBe("quantity");
  // Letters typed into a field are letters.
  await console.keyboard.type("jkarnzq");
  await expect(console.getByLabel("Quantity received")).toHaveValue("jkarnzq");
  expect(console.url()).toBe(address);
  await console.keyboard.press("Escape");
  await console.keyboard.press("r");
  expect(await focused(console, "name")).toBe("reason");
  await console.keyboard.press("Escape");
  await console.keyboard.press("z");
  await expect(console.getByRole("link", { name: "Make the slip fit again" })).toBeVisible();

  await console.keyboard.press("a");
  await console.keyboard.press("ControlOrMeta+a");
  await console.keyboard.type("0.25");
  await console.getByLabel("Transaction id").focus();
  await console.keyboard.type(txid());
  await console.keyboard.press("Enter");
  await expect(console.getByRole("heading", { name: "What will be posted" })).toBeVisible();
  await expect(console.getByRole("button", { name: "Confirm and post" })).toBeEnabled();
  await console.keyboard.press("a");
  await console.keyboard.press("Enter");
  await expect(console.getByText("The deposit is approved and credited")).toBeVisible();
  await page.goto("/account/deposit");
  await expect(page.getByRole("row").filter({ hasText: "Ethereum" })).toContainText("Approved");
  await console.context().close();
});

test("of two operators the second sees what the first decided", async ({ page, browser }) => {
  const name = await someoneDeposits(page);
  const first = await anOperator(browser);
  const second = await anOperator(browser);
  for (const { page: console } of [first, second]) {
    await console.getByRole("link", { name }).click();
    await expect(console.getByRole("heading", { name: "Approve" })).toBeVisible();
  }
  await first.page.keyboard.press("r");
  await first.page.getByRole("link", { name: "Nothing arrived" }).click();
  await expect(first.page.getByLabel("Reason")).toHaveValue(/has not arrived/);
  await first.page.getByRole("button", { name: "Reject and tell the customer" }).click();
  await expect(first.page.getByText("The deposit is rejected")).toBeVisible();

  await second.page.getByLabel("Quantity received").fill("0.25");
  await second.page.getByLabel("Transaction id").fill(txid());
  await second.page.getByRole("button", { name: "Approve" }).click();
  await expect(second.page.getByText("This is decided already")).toBeVisible();
  await expect(second.page.getByRole("heading", { name: "Decision" })).toBeVisible();
  await expect(second.page.getByText(/has not arrived/)).toBeVisible();
  await first.page.context().close();
  await second.page.context().close();
});

test("a review needs no JavaScript", async ({ page, browser }) => {
  const name = await someoneDeposits(page);
  const { page: scripted, email } = await anOperator(browser);
  const console = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await signInAsStaff(console, email);
  await console.goto(new URL("/operator/deposits", scripted.url()).href);
  await console.getByRole("link", { name }).click();
  await console.getByLabel("Quantity received").fill("a lot");
  await console.getByRole("button", { name: "Approve" }).click();
  await expect(console.getByText("A quantity of ETH above zero")).toBeVisible();
  await expect(console.getByLabel("Quantity received")).toHaveValue("a lot");
  await console.getByLabel("Quantity received").fill("0.25");
  await console.getByLabel("Transaction id").fill(txid());
  await console.getByLabel("USD amount").fill("600");
  await console.getByRole("button", { name: "Approve" }).click();
  await expect(console.getByText("corrected from")).toBeVisible();
  const posted = console.waitForResponse((answer) => answer.request().method() === "POST");
  await console.getByRole("button", { name: "Confirm and post" }).click();
  await posted;
  await console.goto(new URL("/operator/deposits?state=approved", scripted.url()).href);
  await expect(console.getByRole("row").filter({ hasText: name })).toContainText("$600.00");
  await console.context().close();
  await scripted.context().close();
});
