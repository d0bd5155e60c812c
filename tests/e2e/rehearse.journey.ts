import type { Locator, Page } from "@playwright/test";
import { morningLastsMs } from "../../server/rehearsal.ts";
import { patienceMs, testTimeoutMs } from "../setup/slowness.ts";
import { addApp, expect, nextCode, signIn } from "./journey.ts";
import { test } from "./rehearse-product.ts";

const ada = "ada@example.com";
const olga = "olga@example.com";

// Of a week a step may go wrong: then it says so soon.
test.use({ actionTimeout: 30_000 });
test.setTimeout(2 * testTimeoutMs);

/** Presses the button, and waits until the worker has done what a morning brings. */
async function nextDay(staff: Page): Promise<string> {
  await staff.goto("/operator");
  await staff.getByRole("button", { name: "Next day" }).click();
  await staff.waitForURL("**/operator/rehearsal");
  const result = staff.getByText(/is posted|is over|is not posted|failed/).last();
  // A morning has its time by the product itself, which then says what the day waits for.
  await expect(result).toBeVisible({ timeout: morningLastsMs + patienceMs });
  return result.innerText();
}

const intent = (page: Page, value: string) =>
  page.locator(`button[name="intent"][value="${value}"]`);

/** To leave at once could take back what a click sends before it came. */
async function answered(page: Page, button: Locator): Promise<void> {
  // The answer to a form before it, which may be what shows this button, is none to this one.
  await button.waitFor();
  const answer = page.waitForResponse((each) => each.request().method() === "POST");
  await button.click();
  await answer;
}

async function setUpApp(page: Page, email: string): Promise<void> {
  addApp(email, await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText());
  await page.getByLabel("The six digits that the app shows").fill(nextCode(email));
  await page.getByRole("button", { name: "Set up" }).click();
}

test("a week of business on one afternoon: from the first sale to a settled withdrawal", async ({
  page: customer,
  browser,
  product,
}) => {
  const staff = await (await browser.newContext({ baseURL: product.url })).newPage();
  await signIn(staff, olga, product.password);
  await staff.waitForURL("**/login/set-up-second-factor");
  await setUpApp(staff, olga);
  await staff.waitForURL("**/operator/security/recovery-codes**");
  await signIn(customer, ada, product.password);
  await customer.waitForURL("**/account/dashboard");
  await expect(customer.getByLabel("What this site is")).toContainText("Rehearsal");

  // Monday: the first sale, an authenticator app, and an address to withdraw to.
  await customer.goto("/account/mining/buy");
  await customer.getByLabel("Units").fill("200");
  await customer.getByRole("checkbox", { name: /I have read the terms/ }).check();
  await customer.getByRole("button", { name: "Get a price" }).click();
  await customer.getByRole("button", { name: /^Buy for/ }).click();
  await expect(customer.getByRole("heading", { name: "What happens next" })).toBeVisible();
  await customer.goto("/account/security/authenticator");
  await setUpApp(customer, ada);
  // The session is renewed with the new factor: the way on begins only when its answer is there.
  await customer.waitForURL("**/account/security/recovery-codes**");
  await staff.goto("/operator/rehearsal");
  const to = await staff
    .getByText(/^bcrt1\w+$/)
    .last()
    .innerText();
  await customer.goto("/account/withdraw");
  await customer.getByLabel("New Bitcoin address").fill(to);
  await customer.getByLabel("Name", { exact: true }).fill("My own wallet");
  await intent(customer, "add-address").click();
  await expect(customer.getByText("My own wallet", { exact: true })).toBeVisible();

  // Nobody is signed out by a night, and the first contract begins when it can no longer be given back.
  expect(await nextDay(staff)).toMatch(/is posted: 0 satoshis to 0 contracts/);
  expect(await nextDay(staff)).toMatch(/is posted: 0 satoshis to 0 contracts/);
  expect(await nextDay(staff)).toMatch(/is posted: [1-9]\d* satoshis to 1 contract\./);
  await customer.goto("/account/mining");
  await expect(customer.getByRole("img", { name: /Net earnings of 1 day/ })).toBeVisible();
  // Its receipt names the coin of the pool that our own node saw.
  await customer.getByRole("link", { name: "200 × Month" }).click();
  await customer.getByRole("link", { name: /^\d{4}-\d\d-\d\d$/ }).click();
  await expect(customer.getByText(/in block \d/)).toBeVisible();

  // Thursday: a withdrawal is asked for, confirmed by mail and approved.
  await customer.goto("/account/withdraw");
  await customer.getByLabel("Amount in BTC").fill("0.003");
  await intent(customer, "request").click();
  const mail = await product.mailTo(ada, /Confirm your withdrawal/);
  const [link] = /http\S+confirm-withdrawal\?token=[\w-]+/.exec(mail) ?? [];
  await customer.goto(link ?? "");
  await answered(customer, customer.getByRole("button", { name: "Confirm withdrawal" }));
  await staff.goto("/operator/withdrawals");
  await staff.getByRole("link", { name: "Ada Lovelace" }).click();
  await staff.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(staff.getByText(/^Approved/).first()).toBeVisible();
  expect(await nextDay(staff)).toMatch(/is posted/);

  // Friday: the day's batch is formed, signed by the rehearsal's wallet, and sent.
  await staff.goto("/operator/withdrawals/batches");
  await answered(staff, intent(staff, "look-for-coins"));
  await expect(async () => {
    await staff.goto("/operator/withdrawals/batches");
    await expect(intent(staff, "form-batch")).toBeEnabled({ timeout: 500 });
  }).toPass();
  await staff.getByLabel("Fee rate").first().fill("2");
  await intent(staff, "form-batch").click();
  await staff.waitForURL(/batches\/[\w-]{36}/);
  const batch = staff.url();
  const file = await staff
    .locator('a[href*="/unsigned"], a[download]')
    .first()
    .getAttribute("href");
  const unsigned = await (await staff.request.get(file ?? "")).body();
  await staff.goto("/operator/rehearsal");
  await staff.getByLabel("Unsigned batch").fill(unsigned.toString("base64"));
  await staff.getByRole("button", { name: "Sign batch" }).click();
  const signed = await staff.getByLabel("Signed batch", { exact: true }).inputValue();
  await staff.goto(batch);
  await staff.getByLabel("Or its text").fill(signed);
  await answered(staff, intent(staff, "upload"));
  await answered(staff, intent(staff, "order"));
  await expect(async () => {
    await staff.goto(batch);
    await expect(staff.getByText(/^Sent/).first()).toBeVisible({ timeout: 500 });
  }).toPass();

  // Saturday: the chain has it, three blocks deep and deeper.
  expect(await nextDay(staff)).toMatch(/is posted/);
  await expect(async () => {
    await customer.goto("/account/withdraw");
    const settled = customer.getByText("Confirmed on chain").filter({ visible: true });
    await expect(settled.first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await staff.context().close();
});
