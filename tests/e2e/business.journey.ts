import { becomeOperator, expect, expectAccessible, expectSound, test } from "./journey.ts";

test("an owner reads the business by day and month in dollars and coins, takes it away as CSV, and the first page says what to set up", async ({
  page,
}) => {
  await becomeOperator(page);
  const way = page.getByRole("region", { name: "Your way to the first sale" });
  await expect(way.getByRole("link", { name: "Say who you are" })).toBeVisible();
  await expect(way.getByText(/^\d+ of 13 done$/)).toBeVisible();
  await expectAccessible(page);

  const console = page.getByRole("navigation", { name: "Console" });
  await console.locator("summary").filter({ hasText: "Money" }).click();
  await console.getByRole("link", { name: "Business", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Business");
  await expect(page.getByRole("heading", { level: 2 }).first()).toContainText("so far");
  const choices = page.getByRole("navigation", { name: "Counted in" });
  await choices.getByRole("link", { name: "BTC" }).click();
  await expect(choices.getByRole("link", { name: "BTC" })).toHaveAttribute("aria-current", "true");
  await page.getByRole("link", { name: "By month" }).click();
  await expect(page).toHaveURL(/by=month/);
  await expect(page).toHaveURL(/in=BTC/);
  await expectAccessible(page);
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/^business-\d{4}\.csv$/);
  await expectSound(page, "/operator/business");
  await page.goto("/operator/audit?act=business/export");
  await expect(page.getByRole("row").filter({ hasText: "business/export" }).first()).toBeVisible();
});
