import { randomBytes } from "node:crypto";
import {
  becomeOperator,
  declareDeposit,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newEmail,
  signUpByForm,
  someLetters,
  test,
} from "./journey.ts";

test("a person registers, deposits, is approved by two people, and sees the money", async ({
  page,
  browser,
}) => {
  const email = newEmail("ada");
  const lastName = `King ${someLetters()}`;
  await signUpByForm(page, email, ["Ada", lastName]);
  await expect(page.getByText("Welcome,")).toBeVisible();
  await expect(page.getByText(`Ada ${lastName}`)).toBeVisible();

  await page.goto(linkIn(await mailTo(email, /verif|confirm/i)));
  await page.getByRole("button", { name: /verif|confirm/i }).click();
  await expect(page.getByText(/verified|confirmed/i).first()).toBeVisible();

  await declareDeposit(page, "$1,250.50", "Bitcoin");
  const row = page.getByRole("row").filter({ hasText: "Bitcoin" });
  await expect(row).toContainText("$1,250.50");
  await expect(row).toContainText("Pending");
  await mailTo(email, /received/i);
  await page.goto("/account/dashboard");
  await expect(page.getByText("of which $1,250.50 pending review")).toBeVisible();

  const [operatorContext, colleagueContext] = [
    await browser.newContext(),
    await browser.newContext(),
  ];
  const [operator, colleague] = [await operatorContext.newPage(), await colleagueContext.newPage()];
  await becomeOperator(colleague);
  await becomeOperator(operator);
  await operator.getByRole("link", { name: /to review$/ }).click();
  await operator
    .getByRole("link", { name: new RegExp(lastName) })
    .first()
    .click();
  await expect(operator.getByRole("heading", { name: "Approve" })).toBeVisible();
  await expectAccessible(operator);
  const txid = randomBytes(32).toString("hex");
  await operator.getByLabel("Quantity received").fill("0.0125");
  await operator.getByLabel("Transaction id").fill(txid);
  await operator.getByRole("button", { name: "Approve" }).click();
  await expect(operator.getByRole("heading", { name: "What will be posted" })).toBeVisible();
  const address = operator.url();
  await operator.getByRole("button", { name: "Propose it" }).click();
  await expect(operator.getByText("Proposed. A colleague confirms it")).toBeVisible();

  await colleague.goto(new URL("/operator/deposits", address).href);
  await expect(colleague.getByRole("row").filter({ hasText: lastName })).toContainText(
    "Waits for a colleague",
  );
  await colleague.goto(address);
  await expect(colleague.getByText(txid)).toBeVisible();
  await expectAccessible(colleague);
  await colleague.getByRole("button", { name: "Confirm and post" }).click();
  await expect(colleague.getByText("The deposit is approved and credited")).toBeVisible();
  await mailTo(email, /approved/i);
  await operatorContext.close();
  await colleagueContext.close();

  await page.goto("/account/dashboard");
  await expect(page.getByText("of which")).toHaveCount(0);
  await expect(page.getByText("$1,250.50").first()).toBeVisible();
  await expect(page.getByText("0.0125").first()).toBeVisible();
  expect(await page.evaluate(() => Number(sessionStorage.getItem("totalAmount")))).toBe(1250.5);
  await page.goto("/account/deposit");
  await expect(page.getByRole("row").filter({ hasText: "Bitcoin" })).toContainText("Approved");
  await expectAccessible(page);
});
