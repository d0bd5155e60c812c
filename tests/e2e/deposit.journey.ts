import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { receiptPicture } from "../factories/slip-files.ts";
import { within } from "../setup/slowness.ts";
import { expect, expectAccessible, newEmail, signUp, test } from "./journey.ts";

const receiptHeic = readFileSync(path.join(import.meta.dirname, "../fixtures/receipt.heic"));

async function picture(name: string, amount: number) {
  return { name, mimeType: "image/png", buffer: await receiptPicture({ amount }) };
}

async function openDeposits(page: Page): Promise<void> {
  await signUp(page, newEmail("depositor"));
  await page.goto("/account/deposit");
}

const panel = (page: Page, name: string) =>
  page.locator("summary").filter({ has: page.getByText(name, { exact: true }) });
const slip = (page: Page) => page.locator('input[type="file"]');
const amount = (page: Page) => page.getByLabel("Amount");
const method = (page: Page) => page.getByLabel("Method", { exact: true });
const button = (page: Page) => page.getByRole("button", { name: "Submit for review" });
const deposits = (page: Page) => page.locator("tbody tr");

test("one address is open at a time, and a click copies it", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openDeposits(page);
  const open = page.locator("details[open]");
  await panel(page, "Ethereum").click();
  await panel(page, "Bitcoin").click();
  await expect(open).toHaveCount(1);
  await expect(open.getByRole("img", { name: "QR code of the Bitcoin address" })).toBeVisible();
  await page.getByRole("button", { name: "Copy Bitcoin address" }).click();
  await expect(page.getByText("Copied to clipboard!")).toBeVisible();
  const address = await open.locator("code").innerText();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  await expect(page.getByText("Copied to clipboard!")).toBeHidden({ timeout: within(3_000) });
  await expectAccessible(page);
  await panel(page, "Bitcoin").click();
  await expect(open).toHaveCount(0);
});

test("errors stand under their fields and nothing is lost, a double click is one deposit", async ({
  page,
}) => {
  await openDeposits(page);
  await button(page).click();
  for (const words of [
    "Invalid input. Please try again.",
    "Please enter the amount",
    "Please choose a method",
    "Please choose your payment slip",
  ]) {
    await expect(page.getByText(words)).toBeVisible();
  }
  await expectAccessible(page);
  await slip(page).setInputFiles({
    name: "slip.svg",
    mimeType: "image/svg+xml",
    buffer: Buffer.from("<svg/>"),
  });
  await expect(page.getByText("This is not a JPEG, PNG, WebP, HEIC or PDF file")).toBeVisible();
  await slip(page).setInputFiles({
    name: "IMG_0042.heic",
    mimeType: "image/heic",
    buffer: receiptHeic,
  });
  await expect(page.getByText("Uploaded.")).toBeVisible();
  await amount(page).fill("-5");
  await method(page).selectOption("USDT");
  await button(page).click();
  await expect(page.getByText("The amount cannot be negative")).toBeVisible();
  await expect(page.getByText("IMG_0042.heic")).toBeVisible();
  await amount(page).fill("5");
  await button(page).dblclick();
  await expect(page.getByText("Successfully saved")).toBeVisible();
  await expect(deposits(page)).toHaveCount(1);
  await expect(amount(page)).toHaveValue("");
  await expect(method(page).locator("option:checked")).toHaveText("Choose a method");
  await expect(page.getByText("Choose a file, or drop it here")).toBeVisible();
});

test("a slow line shows how far the slip is, and the form waits for it", async ({
  page,
  context,
}) => {
  await openDeposits(page);
  const line = await context.newCDPSession(page);
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 50,
    downloadThroughput: 500_000,
    uploadThroughput: 60_000,
  });
  const padding = Buffer.alloc(250_000, 1);
  const large = Buffer.concat([await receiptPicture({ amount: 700 }), padding]);
  await slip(page).setInputFiles({ name: "slow.png", mimeType: "image/png", buffer: large });
  await expect(page.getByText(/Uploading: \d+ %/)).toBeVisible();
  await amount(page).fill("70");
  await method(page).selectOption("Bitcoin");
  await button(page).click();
  await expect(page.getByRole("button", { name: "Submitting..." })).toBeDisabled();
  await expect(page.getByText("Successfully saved")).toBeVisible();
  await expect(deposits(page)).toHaveCount(1);
});

test("a file dropped on the box is the slip", async ({ page }) => {
  await openDeposits(page);
  await expect(page.getByText("Choose a file, or drop it here")).toBeVisible();
  const bytes = [...(await receiptPicture({ amount: 44 }))];
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(content)], "dropped.png", { type: "image/png" }));
    return data;
  }, bytes);
  // A real drop on a file input sets its files; here the browser is told what it would find.
  await slip(page).evaluate((input: HTMLInputElement, data) => {
    input.files = (data as DataTransfer).files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }, transfer);
  await expect(page.getByText("Uploaded.")).toBeVisible();
  await expect(page.getByRole("img", { name: "Preview of dropped.png" })).toBeVisible();
  const covered = await page.getByText("dropped.png").evaluate((words) => {
    const { x, y, width, height } = words.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return top instanceof HTMLInputElement && top.type === "file";
  });
  expect(covered, "the input lies over the box, so a drop anywhere on it is one on the input").toBe(
    true,
  );
});

test("a session that ended takes nothing away", async ({ page, context }) => {
  await openDeposits(page);
  await fillIn(page, "77");
  const cookies = await context.cookies();
  await context.clearCookies();
  await button(page).click();
  await expect(page.getByText("No user is authenticated.").first()).toBeVisible();
  await expect(amount(page)).toHaveValue("77");
  await context.addCookies(cookies);
  await button(page).click();
  await expect(page.getByText("Successfully saved")).toBeVisible();
  await expect(deposits(page)).toHaveCount(1);
});

test("an answer that was lost is asked for again and is no second deposit", async ({
  page,
  context,
}) => {
  await openDeposits(page);
  // A page of its own: the browser rightly reports the lost answer as an error.
  const unlucky = await context.newPage();
  await unlucky.goto(page.url());
  await fillIn(unlucky, "78");
  await unlucky.route("**/account/deposit.data*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("failed");
  });
  await button(unlucky).click();
  await expect(unlucky.getByText("No answer came")).toBeVisible();
  await expect(amount(unlucky)).toHaveValue("78");
  await unlucky.unrouteAll();
  await button(unlucky).click();
  await expect(unlucky.getByText("Successfully saved")).toBeVisible();
  await expect(deposits(unlucky)).toHaveCount(1);
});

async function fillIn(page: Page, dollars: string): Promise<void> {
  await amount(page).fill(dollars);
  await method(page).selectOption("Ethereum");
  await slip(page).setInputFiles(await picture("slip.png", Number(dollars)));
  await expect(page.getByText("Uploaded.")).toBeVisible();
}

test("the list searches, sorts, pages and sums, and its address says how", async ({ page }) => {
  await openDeposits(page);
  for (const [at, how] of ["Bitcoin", "Ethereum", "USDT"].entries()) {
    await amount(page).fill(`${at + 1}00`);
    await method(page).selectOption(how);
    await slip(page).setInputFiles(await picture(`${how}.png`, 100 + at));
    await button(page).click();
    await expect(deposits(page)).toHaveCount(at + 1);
  }
  await expect(page.locator("tfoot")).toContainText("$600.00");
  await page.getByRole("link", { name: "Amount" }).click();
  await page.waitForURL(/sort=amount&dir=desc/);
  await expect(deposits(page).first()).toContainText("$300.00");
  await page.getByLabel("Search deposits").fill("ethereum");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=ethereum/);
  await expect(deposits(page)).toHaveCount(1);
  await expect(page.locator("tfoot")).toContainText("$200.00");
  await page.getByLabel("Show", { exact: true }).selectOption("50");
  await page.waitForURL(/show=50/);
  await expectAccessible(page);
  await deposits(page).first().getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Ethereum deposit of $200.00" })).toBeVisible();
  await expect(page.getByRole("img", { name: "The payment slip" })).toBeVisible();
  await expectAccessible(page);
});

test.describe("without JavaScript", () => {
  test("a refused form keeps slip and fields, and the deposit is saved", async ({
    page,
    browser,
  }) => {
    await openDeposits(page);
    const context = await browser.newContext({ javaScriptEnabled: false });
    await context.addCookies(await page.context().cookies());
    const plain = await context.newPage();
    await plain.goto(page.url());
    await panel(plain, "Bitcoin").click();
    await panel(plain, "USDT").click();
    await expect(plain.locator("details[open]")).toHaveCount(1);
    await amount(plain).fill("0");
    await method(plain).selectOption("USDT");
    await slip(plain).setInputFiles(await picture("plain.png", 9));
    await button(plain).click();
    await expect(plain.getByText("The amount must be more than $0.00")).toBeVisible();
    await expect(plain.getByText("plain.jpg")).toBeVisible();
    await expect(method(plain)).toHaveValue("USDT");
    await amount(plain).fill("9");
    await button(plain).click();
    await expect(deposits(plain)).toHaveCount(1);
    expect(await plain.content()).toContain("Successfully saved");
    await context.close();
  });
});
