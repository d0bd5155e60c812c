import { uniquePicture } from "../factories/deposit.ts";
import {
  becomeOperator,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newEmail,
  signUp,
  test,
} from "./journey.ts";

test("a customer writes with a file, staff answer, the customer reads the answer and writes back", async ({
  page,
  browser,
}) => {
  test.slow();
  const console = await (await browser.newContext()).newPage();
  const operator = await becomeOperator(console);
  const email = newEmail("writer");
  await signUp(page, email);
  await page.getByRole("link", { name: "Messages" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Write to us" }).click();
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByText("Please enter a subject")).toBeVisible();
  await expect(page.getByText("Please write your message")).toBeVisible();
  await expectAccessible(page);
  const subject = `Where is my payment? ${email.slice(7, 17)}`;
  await page.getByLabel("Subject").fill(subject);
  await page.getByLabel("Message", { exact: true }).fill("I paid in yesterday.");
  await page
    .getByLabel("Files")
    .setInputFiles({ name: "receipt.png", mimeType: "image/png", buffer: await uniquePicture() });
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByText("Your message is sent")).toBeVisible();
  await expect(page.getByRole("heading", { name: subject })).toBeVisible();
  await expect(page.getByText("Waiting for our answer")).toBeVisible();
  await expect(page.getByRole("link", { name: "receipt.jpg" })).toBeVisible();
  await expectAccessible(page);

  const told = await mailTo(operator, new RegExp(email.slice(7, 17)));
  expect(told.text).toContain("Files: 1");
  await console.goto(linkIn(told));
  await expect(console.getByText("I paid in yesterday.")).toBeVisible();
  await expectAccessible(console);
  const file = console.waitForEvent("popup");
  await console.getByRole("link", { name: "receipt.jpg" }).click();
  await expect((await file).locator("img")).toBeVisible();
  await (await file).close();
  await console.keyboard.press("a");
  await console.keyboard.type("It arrived this morning.");
  await console.getByRole("button", { name: "Send answer" }).click();
  await expect(console.getByText("The answer is on its way")).toBeVisible();

  const answered = await mailTo(email, /We answered your message/);
  expect(answered.text).not.toContain("It arrived this morning");
  await page.goto("/account/dashboard");
  await expect(page.getByRole("link", { name: "Messages 1 new" })).toBeVisible();
  await page.goto(linkIn(answered));
  await expect(page.getByText("It arrived this morning.")).toBeVisible();
  await expect(page.getByText("Olga, our staff")).toBeVisible();
  await page.getByLabel("Message", { exact: true }).fill("Thank you!");
  await page.getByRole("button", { name: "Send message" }).click();
  const words = page.getByRole("list", { name: "Conversation" }).getByRole("listitem");
  await expect(words.filter({ hasText: "Thank you!" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Messages", exact: true })).toBeVisible();
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("");
  await console.goto(`/operator/messages?q=${encodeURIComponent(email)}`);
  await expect(console.getByRole("link", { name: subject })).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a customer writes and answers by forms alone", async ({ page }) => {
    const email = newEmail("plain");
    await signUp(page, email);
    await page.goto("/account/messages/new");
    await page.getByLabel("Subject").fill("A question");
    await page.getByLabel("Message", { exact: true }).fill("What does a month cost?");
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page.getByRole("heading", { name: "A question" })).toBeVisible();
    await page.getByLabel("Message", { exact: true }).fill("And two?");
    await page.getByRole("button", { name: "Send message" }).click();
    await expect(page.getByText("And two?")).toBeVisible();
  });
});
