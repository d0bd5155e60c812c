import { randomBytes } from "node:crypto";
import { becomeOperator, expect, expectAccessible, test } from "./journey.ts";

test("an operator enters machines, drafts a plan whose sums follow the keys, offers it, and looks at a pool's file", async ({
  page,
  browser,
}) => {
  await becomeOperator(page);
  const box = (name: string) => page.getByRole("textbox", { name, exact: true });
  const mark = randomBytes(3).toString("hex");

  await page.getByRole("link", { name: "Fleet" }).click();
  await page.getByRole("link", { name: "Sites and energy" }).click();
  await box("Name").fill(`Hall ${mark}`);
  await box("Place").fill("Boden, Sweden");
  await page.getByRole("button", { name: "Add the site" }).click();
  await expect(page.getByRole("cell", { name: `Hall ${mark}` }).first()).toBeVisible();
  await page.getByRole("link", { name: "Capacity" }).click();
  await page.getByLabel("Site", { exact: true }).selectOption({ label: `Hall ${mark}` });
  await box("Model").fill(`Miner ${mark}`);
  await box("Nameplate, TH/s each").fill("200");
  await box("Machines").fill("50");
  await box("Measured, TH/s each").fill("198.5");
  await box("Power, watts each").fill("3500");
  await page.getByRole("button", { name: "Add the machines" }).click();
  await expect(page.getByText("Name the source, for instance")).toBeVisible();
  await box("Source, such as a meter").fill("Measured at the meter");
  await page.getByRole("button", { name: "Add the machines" }).click();
  const row = page.getByRole("row").filter({ hasText: `Miner ${mark}` });
  await expect(row).toContainText("9.925 PH/s");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Plans" }).click();
  await page.getByRole("link", { name: "Draft a plan" }).click();
  await box("Name").fill(`Plan ${mark}`);
  await box("Machines").fill("13.50");
  await box("Setting up").fill("1.50");
  await box("Your margin").first().fill("3");
  await expect(page.getByText("$18.00")).toBeVisible();
  await box("Energy").fill("0.041");
  await box("Operation").fill("0.006");
  await box("Your margin").last().fill("0.005");
  await expect(page.getByText("$0.052")).toBeVisible();
  await page.getByRole("button", { name: "Save the draft" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Plan ${mark}`);
  await expectAccessible(page);
  const colleague = await (await browser.newContext()).newPage();
  await becomeOperator(colleague);
  await page.reload();
  await expect(page.getByText("Waits for another person")).toBeVisible();
  await expect(page.getByRole("button", { name: "Publish exactly this" })).toHaveCount(0);
  await expectAccessible(page);
  await colleague.goto(page.url());
  await colleague.getByRole("button", { name: "Publish exactly this" }).click();
  await expect(colleague.getByRole("button", { name: "Retire the plan" })).toBeVisible();
  await colleague.context().close();
  await page.reload();
  // So that no other journey sells it.
  await page.getByRole("button", { name: "Retire the plan" }).click();
  await expect(page.getByRole("button", { name: "Retire the plan" })).toBeHidden();

  await page.getByRole("link", { name: /^Payouts/ }).click();
  await page.getByRole("link", { name: "Pools and limit" }).click();
  await box("Name").fill(`Pool ${mark}`);
  await page.getByLabel("Format of its files").selectOption({ label: "Luxor" });
  // It counts so late that no day of other journeys waits for it.
  await page.getByLabel("Counts from (UTC day)").fill("2099-01-01");
  await page.getByRole("button", { name: "Add the pool" }).click();
  await expect(page.getByRole("cell", { name: `Pool ${mark}` })).toBeVisible();
  await page.getByRole("link", { name: "Import a file" }).click();
  await page.getByLabel("Pool", { exact: true }).selectOption({ label: `Pool ${mark} (Luxor)` });
  await page.getByLabel("File", { exact: true }).setInputFiles("tests/fixtures/pools/luxor.csv");
  await page.getByRole("button", { name: "Show what it says" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("luxor.csv");
  await expect(page.getByText("The pool does not count on this day").first()).toBeVisible();
  await expect(page.getByText("There is no day in this line")).toBeVisible();
  await expectAccessible(page);
  await page.goto("/operator/mining");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mining");
  await expectAccessible(page);
});
