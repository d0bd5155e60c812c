import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { requestWithdrawal } from "../../server/withdrawals/request-withdrawal.ts";
import { creditTestDeposit } from "../factories/credited-deposit.ts";
import { uniquePicture } from "../factories/deposit.ts";
import { createTestPrice } from "../factories/market.ts";
import { aRequest, letWithdraw, someAddress } from "../factories/withdrawal.ts";
import { appBeside } from "../setup/app-beside.ts";
import { becomeOperator, expect, expectSound, newEmail, signUp, test } from "./journey.ts";

/** Presses one of the statement's buttons and reads the file that comes. */
async function take(page: Page, format: "PDF" | "CSV" | "JSON") {
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: format, exact: true }).click();
  const download = await coming;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test("a customer finds entries, takes a statement away, and anybody can check it", async ({
  page,
  browser,
  place,
}) => {
  const email = newEmail("ada");
  await signUp(page, email);
  await page.goto("/account/transactions");
  await expect(page.getByText("No transactions yet")).toBeVisible();
  const { db } = appBeside(place);
  const { rows } = await db.$client.query("select id from users where email = $1", [email]);
  const id = rows[0].id as string;
  const now = new Date("2026-02-04T12:01:00Z");
  const customer = {
    id,
    ...(await letWithdraw(db, id, { units: 150_000_000n, address: someAddress(), now })),
  };
  const request = aRequest(customer, { amount: 50_000_000n });
  // So cheap that the level of an account without a check allows it.
  await createTestPrice(db, { asset: "BTC", usdE8: 10_000_000_000n, observedAt: now });
  await requestWithdrawal(db, request, now);
  await creditTestDeposit(db, id, 2n * 10n ** 18n, { asset: "ETH", now });

  await page.reload();
  const deposit = page.getByRole("row").filter({ hasText: "Deposit credited" }).last();
  await expect(deposit).toContainText("no price");
  await page.getByLabel("Coin", { exact: true }).selectOption("BTC");
  await page.waitForURL(/coin=BTC/);
  await page.getByLabel("Words, amount or id").fill("0.5");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/q=0\.5/);
  await expect(page.getByText("2 entries shown")).toBeVisible();
  const held = page.getByRole("row").filter({ hasText: "Held" });
  // What is held is owned all the same.
  await expect(held).toContainText("1.5");
  await page.getByRole("link", { name: "Show all" }).click();
  await expect(page.getByText("4 entries shown")).toBeVisible();

  await page.getByLabel("Of", { exact: true }).selectOption("year:2026");
  const paper = await take(page, "PDF");
  expect(paper.name).toBe("statement-2026-01-01-to-2026-12-31.pdf");
  expect(paper.bytes.subarray(0, 5).toString()).toBe("%PDF-");
  const csv = (await take(page, "CSV")).bytes.toString();
  expect(csv).toContain("2026-01-30,12:01:00,deposit,BTC,available,1.50000000,1.50000000,,");
  const json = JSON.parse((await take(page, "JSON")).bytes.toString());
  expect(json.coins.BTC).toMatchObject({ opening: "0.00000000", closing: "1.50000000" });

  const issued = await db.$client.query(
    "select code, encode(sha256, 'hex') as sha256 from issued_statements where customer_id = $1",
    [id],
  );
  const [{ code, sha256 }] = issued.rows;
  expect(sha256).toBe(json.sha256);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto("/verify-statement");
  await stranger.getByLabel("Code").fill("22222 33333 44444 55555");
  await stranger.getByRole("button", { name: "Check" }).click();
  await expect(stranger.getByText("We issued no statement with this code")).toBeVisible();
  await stranger.getByLabel("Code").fill(code.toLowerCase());
  await stranger.getByRole("button", { name: "Check" }).click();
  await expect(stranger.getByText("We issued this statement")).toBeVisible();
  await expect(stranger.getByRole("row", { name: /^After/ })).toContainText("1.50000000");
  await expect(stranger.getByText("Lovelace")).toHaveCount(0);
  await expectSound(stranger, `/verify-statement?code=${code}`);
  await stranger.context().close();
  await expectSound(page, "/account/transactions");
});

test("one counts the wallets, another confirms, the difference is explained, and everybody reads the coverage", async ({
  page: maker,
  browser,
}) => {
  await becomeOperator(maker);
  const checker = await (await browser.newContext()).newPage();
  await becomeOperator(checker);
  await maker.goto("/operator/reconciliation/new");
  await maker.getByLabel("Coin").selectOption("ETH");
  await maker.getByLabel("Amount in all wallets together").fill("123456");
  await maker.getByLabel("Read at (UTC)").fill(new Date().toISOString().slice(0, 16));
  await maker
    .getByLabel("Which wallets, and how you read them")
    .fill("Cold wallet, by an explorer");
  await maker.getByRole("button", { name: "Enter for a colleague to confirm" }).click();
  await expect(maker.getByText("Choose a picture or a PDF that shows the wallets")).toBeVisible();
  const picture = { name: "wallet.png", mimeType: "image/png", buffer: await uniquePicture() };
  await maker.getByLabel("Evidence").setInputFiles(picture);
  await maker.getByRole("button", { name: "Enter for a colleague to confirm" }).click();
  await expect(maker.getByRole("heading", { name: "Waits for a colleague" })).toBeVisible();
  const count = new URL(maker.url()).pathname;

  await checker.goto(count);
  await expect(checker.getByRole("img", { name: "The evidence as it was sent" })).toBeVisible();
  await checker.getByRole("button", { name: "Confirm the count" }).click();
  await expect(checker.getByText("Confirmed by")).toBeVisible();
  await expectSound(checker, count);
  await checker.goto("/operator/reconciliation");
  const difference = checker.getByRole("listitem").filter({ hasText: "ETH" });
  await difference.getByLabel("Why they differ").fill("Coins of our own, not paid in yet");
  await difference.getByRole("button", { name: "Explain the difference" }).click();
  await expect(checker.getByText("Coins of our own, not paid in yet")).toBeVisible();
  await expect(difference).toHaveCount(0);
  await expectSound(checker, "/operator/reconciliation");
  await checker.goto("/plans");
  await expect(checker.getByText(/ETH [\d,]+\.\d\d %/)).toBeVisible();
  await checker.context().close();
});
