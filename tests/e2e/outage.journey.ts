import type { Page } from "@playwright/test";
import { becomeOperator, expect, expectAccessible, newEmail, signUp, test } from "./journey.ts";

/** A page of its own: the browser rightly reports what does not come as an error. */
async function unluckyPage(page: Page): Promise<Page> {
  const unlucky = await page.context().newPage();
  await unlucky.goto(page.url());
  return unlucky;
}

test("a form whose answer is lost, or that meets an outage, stays as it was filled in and is done once", async ({
  page,
}) => {
  await signUp(page, newEmail("unlucky"));
  await page.goto("/account/messages/new");
  const unlucky = await unluckyPage(page);
  const subject = unlucky.getByLabel("Subject");
  const words = unlucky.getByLabel("Message", { exact: true });
  const send = unlucky.getByRole("button", { name: "Send message" });
  await subject.fill("Where is my payment?");
  await send.click();
  await expect(unlucky.getByText("Please write your message")).toBeVisible();
  await words.fill("I paid in yesterday.");
  await unlucky.route("**/messages/new.data*", (route) =>
    route.fulfill({ status: 503, contentType: "text/html", body: "<h1>Service unavailable</h1>" }),
  );
  await send.click();
  await expect(unlucky.getByText("Something went wrong on our side")).toBeVisible();
  await expect(words).toHaveValue("I paid in yesterday.");
  await expectAccessible(unlucky);

  await unlucky.unrouteAll();
  await unlucky.route("**/messages/new.data*", async (route) => {
    await route.fetch();
    await route.abort("failed");
  });
  await send.click();
  await expect(unlucky.getByText("The site did not answer")).toBeVisible();
  await expect(subject).toHaveValue("Where is my payment?");
  await expect(words).toHaveValue("I paid in yesterday.");

  await unlucky.unrouteAll();
  await send.click();
  await expect(unlucky.getByRole("heading", { name: "Where is my payment?" })).toBeVisible();
  await expect(unlucky.getByText("The site did not answer")).toHaveCount(0);
  await unlucky.getByRole("link", { name: "Messages", exact: true }).click();
  const sent = unlucky.getByRole("link", { name: "Where is my payment?" });
  await expect(sent).toHaveCount(1);

  // What is said of a form is said until its page is left.
  const write = unlucky.getByRole("link", { name: "Write to us" });
  await write.click();
  await subject.fill("And the other one?");
  await words.fill("It has not come.");
  await unlucky.route("**/messages/new.data*", (route) => route.abort("failed"));
  await send.click();
  await expect(unlucky.getByText("The site did not answer")).toBeVisible();
  await unlucky.unrouteAll();
  await unlucky.getByRole("link", { name: "Messages", exact: true }).click();
  await expect(sent).toBeVisible();
  await write.click();
  await expect(subject).toHaveValue("");
  await expect(unlucky.getByText("The site did not answer")).toHaveCount(0);

  // A form with files is not read for who is signed out; it stays on its page.
  await subject.fill("A third one");
  await words.fill("It is late as well.");
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await send.click();
  await expect(unlucky.getByText("You were signed out.")).toBeVisible();
  await page.context().addCookies(cookies);
  await send.click();
  await expect(unlucky.getByRole("heading", { name: "A third one" })).toBeVisible();
});

test("a page that reads itself stays through an outage and the end of its session, and goes on after them", async ({
  page,
}) => {
  await becomeOperator(page);
  const unlucky = await page.context().newPage();
  await unlucky.clock.install();
  await unlucky.goto("/operator/health");
  const title = unlucky.getByRole("heading", { name: "Health", level: 1 });
  const typed = unlucky.getByLabel("What is being done");
  await typed.fill("New disks in ra");
  const reads = async () => {
    const asked = unlucky.waitForRequest("**/health.data*");
    await unlucky.clock.runFor(60_000);
    await asked;
  };
  await unlucky.route("**/health.data*", (route) => route.abort("internetdisconnected"));
  await reads();
  await expect(unlucky.getByText("this page is not up to date")).toBeVisible();
  await expect(title).toBeVisible();
  await expect(typed).toHaveValue("New disks in ra");
  await expectAccessible(unlucky);

  await unlucky.unrouteAll();
  await unlucky.getByRole("button", { name: "Refresh" }).click();
  await expect(unlucky.getByText("this page is not up to date")).toHaveCount(0);

  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await reads();
  await expect(unlucky.getByText("You were signed out.")).toBeVisible();
  await expect(title).toBeVisible();
  await page.context().addCookies(cookies);
  await reads();
  await expect(unlucky.getByText("You were signed out.")).toHaveCount(0);
  await expect(typed).toHaveValue("New disks in ra");
  // Where nothing was filled in, what the page shows is not left to the next reader of the screen.
  await typed.fill("");
  await page.context().clearCookies();
  await reads();
  await expect(unlucky).toHaveURL(/\/login/);
});

test("a step back that is not answered does not show the page before it at another address", async ({
  page,
}) => {
  await becomeOperator(page);
  await page.goto("/operator/customers");
  const unlucky = await unluckyPage(page);
  await unlucky.getByRole("main").getByRole("searchbox").fill("nobody of this name");
  await unlucky.keyboard.press("Enter");
  await expect(unlucky).toHaveURL(/q=nobody/);
  await unlucky.route("**/customers.data*", (route) => route.abort("internetdisconnected"));
  await unlucky.goBack();
  await expect(unlucky.getByText("Your internet connection seems to be unstable.")).toBeVisible();
});
