import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { uniquePicture } from "../factories/deposit.ts";
import { becomeOperator, expect, expectSound, mailTo, newEmail, signUp, test } from "./journey.ts";

/** Fills the form for own money that was paid in, and proposes it. */
async function proposeFunding(page: Page): Promise<string> {
  await page.goto("/operator/adjustments/new?what=own-money");
  await page.getByLabel("Amount").fill("0.5");
  await page.getByLabel("Transaction id").fill(randomBytes(32).toString("hex"));
  await page.getByRole("textbox", { name: "Reason" }).fill("Own coins for goodwill");
  return propose(page);
}

/** Fills the form for own money that was taken out, first without its fee, and proposes it. */
async function proposeDrawing(page: Page): Promise<string> {
  await page.goto("/operator/adjustments/new?what=taken-out");
  await page.getByLabel("Amount without the network fee").fill("0.1");
  await page.getByLabel("Transaction id").fill(randomBytes(32).toString("hex"));
  await page.getByRole("textbox", { name: "Reason" }).fill("Electricity in October");
  const picture = { name: "invoice.png", mimeType: "image/png", buffer: await uniquePicture() };
  await page.getByLabel("Evidence").setInputFiles(picture);
  await page.getByRole("button", { name: "Propose to a colleague" }).click();
  await expect(page.getByText("Enter the network fee")).toBeVisible();
  await page.getByLabel("Network fee", { exact: true }).fill("0.00001");
  return propose(page);
}

async function propose(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Propose to a colleague" }).click();
  await expect(page.getByRole("heading", { name: "Waits for a colleague" })).toBeVisible();
  return new URL(page.url()).pathname;
}

/** The keys work once the page's script has come. */
async function approveByKeys(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("a");
    const approve = page.getByRole("button", { name: /^Approve/ });
    await expect(approve).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Enter");
}

test("one proposes, another one approves, the customer reads it; and staff look at the account without acting", async ({
  page: customer,
  browser,
}) => {
  const email = newEmail("ada");
  await signUp(customer, email);
  const maker = await (await browser.newContext()).newPage();
  await becomeOperator(maker);
  const checker = await (await browser.newContext()).newPage();
  await becomeOperator(checker);

  const funding = await proposeFunding(maker);
  await maker.goto("/operator/adjustments/new");
  await maker.getByRole("textbox", { name: "Customer" }).fill(email);
  await maker.getByLabel("Amount").fill("0.0123");
  await maker.getByRole("textbox", { name: "Reason" }).fill("Your payout came a day late");
  const picture = { name: "ticket.png", mimeType: "image/png", buffer: await uniquePicture() };
  await maker.getByLabel("Evidence").setInputFiles(picture);
  const gift = await propose(maker);

  await checker.goto(funding);
  await approveByKeys(checker);
  await expect(checker.getByText("Approved and posted")).toBeVisible();
  await checker.goto(gift);
  await expect(checker.getByRole("img", { name: "The evidence as it was sent" })).toBeVisible();
  await approveByKeys(checker);
  await expect(checker.getByText("Approved by")).toBeVisible();

  const drawing = await proposeDrawing(maker);
  await checker.goto(drawing);
  await approveByKeys(checker);
  await expect(checker.getByText("Approved and posted")).toBeVisible();
  await checker.goto("/operator/adjustments/own-money");
  const left = checker.getByRole("row").filter({ hasText: "Can be taken out now" });
  await expect(left).toContainText("0.38769000");
  await checker.goto(gift);

  const mail = await mailTo(email, /goodwill from the operator/);
  expect(mail.text).toContain("Your payout came a day late");
  await customer.goto("/account/transactions");
  const entry = customer.getByRole("row").filter({ hasText: "Goodwill from the operator" });
  await expect(entry).toContainText("Your payout came a day late");
  await entry.getByRole("link", { name: "Adjustment" }).click();
  await expect(customer.getByText("Approved by another person")).toBeVisible();

  await checker.getByRole("link", { name: "Ada Lovelace" }).click();
  await checker.getByRole("link", { name: "View", exact: true }).click();
  await checker.getByRole("textbox", { name: "Reason" }).fill("You asked what the entry means");
  await checker.getByRole("button", { name: "Tell the customer and look" }).click();
  await checker.waitForURL("**/account/dashboard");
  await expect(checker.getByText("as its customer sees it")).toBeVisible();
  await checker.getByRole("link", { name: "Deposits", exact: true }).first().click();
  await expect(checker.getByRole("button", { name: "Submit for review" })).toBeDisabled();
  await checker.getByRole("button", { name: "End the view" }).click();
  await expect(checker.getByText("The view is ended")).toBeVisible();
  const root = new URL(checker.url()).pathname;
  await customer.goto("/account/dashboard");
  await expect(customer.getByText("You asked what the entry means")).toBeVisible();

  const paths = ["/operator/adjustments", "/operator/adjustments/new", gift, drawing];
  paths.push("/operator/adjustments/own-money", "/operator/adjustments/new?what=between-wallets");
  for (const path of [...paths, `${root}/ledger`, `${root}/notes`, `${root}/view`]) {
    await expectSound(checker, path);
  }
  await maker.context().close();
  await checker.context().close();
});
