import { expect, expectSound, newEmail, signUp, test } from "./journey.ts";

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test("a new customer is led step by step, and finds every page in one bar of entries", async ({
    page,
  }) => {
    await signUp(page, newEmail());
    const title = page.getByRole("heading", { name: "Dashboard", level: 1 });
    // Below the line that says that it is a test network.
    const marks = await page.getByLabel("What this site is").boundingBox();
    const top = (await title.boundingBox())?.y ?? 999;
    expect(top - (marks?.height ?? 0)).toBeLessThan(135);

    const steps = page.getByRole("region", { name: "Get started" });
    await expect(steps).toContainText("0 of 6 done");
    await steps.getByRole("link", { name: "Declare country" }).click();
    const verification = page.getByRole("heading", { name: "Verification", level: 1 });
    await expect(verification, "a reader hears where one is").toBeFocused();

    const entries = page.getByRole("navigation", { name: "Account" });
    const here = entries.getByRole("link", { name: "Verification" });
    await expect(here).toHaveAttribute("aria-current", "page");
    await expect(here).toBeInViewport({ ratio: 1 });
    await page.reload();
    await expect(here).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel("Breadcrumb")).toBeHidden();
    await expect(page.getByText("Welcome, Ada Lovelace")).toBeVisible();
  });

  test("an address of nobody keeps the frame and leads back", async ({ page }) => {
    await signUp(page, newEmail());
    await page.goto("/account/nowhere");
    await page.getByRole("link", { name: "Back to the dashboard" }).click();
    await expect(page.getByRole("heading", { name: "Dashboard", level: 1 })).toBeFocused();
  });
});

test("help answers a question, and leads to a message about what was searched for", async ({
  page,
}) => {
  await signUp(page, newEmail());
  await page.getByRole("link", { name: "Help" }).click();
  await page.getByLabel("Search the questions").fill("withdraw");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText(/\d+ of \d+ questions/)).toBeVisible();
  await page.getByRole("button", { name: "Write a message" }).click();
  await expect(page.getByLabel("Subject")).toHaveValue("withdraw");
  await page.getByLabel("Message", { exact: true }).fill("When can I withdraw?");
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("heading", { name: "withdraw" })).toBeVisible();
  await expect(page.getByText("Waiting for our answer")).toBeVisible();
  await expectSound(page, "/account/help");
});
