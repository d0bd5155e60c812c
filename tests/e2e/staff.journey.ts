import {
  becomeOperator,
  becomeOperatorByCommand,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newEmail,
  test,
} from "./journey.ts";

test("an owner proposes to let somebody in, a second owner confirms it, and the invitation comes by mail", async ({
  page,
  browser,
}) => {
  await becomeOperatorByCommand(page);
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await becomeOperator(other);
  const email = newEmail("auditor");

  await page.goto("/operator/staff");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("First name").fill("Ida");
  await page.getByLabel("Last name").fill("Rhodes");
  await page.getByLabel("Role").selectOption("auditor");
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByText("when another owner confirms it within 7 days")).toBeVisible();
  const mine = page.getByRole("listitem").filter({ hasText: email });
  await expect(mine.getByRole("button")).toHaveText(["Cancel proposal"]);
  await expectAccessible(page);

  await other.goto("/operator");
  await other.getByRole("link", { name: /staff proposals? to confirm$/ }).click();
  const waiting = other.getByRole("listitem").filter({ hasText: email });
  await waiting.getByRole("button", { name: "Confirm" }).click();
  await expect(other.getByText("Confirmed and done")).toBeVisible();
  await expect(other.getByRole("row").filter({ hasText: email })).toContainText("Invited");

  const mail = await mailTo(email, /invited to the console/);
  expect(mail.text).toContain("auditor");
  await other.goto(linkIn(mail));
  await expect(other.getByRole("button", { name: "Set password" })).toBeVisible();
  await elsewhere.close();
});
