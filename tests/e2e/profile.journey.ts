import { readFile } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { creditTestDeposit } from "../factories/credited-deposit.ts";
import { appBeside } from "../setup/app-beside.ts";
import {
  expect,
  expectSound,
  linkIn,
  mailTo,
  newEmail,
  password,
  signIn,
  signUp,
  signUpByForm,
  test,
} from "./journey.ts";

test("a customer's choices are saved part by part and seen on every page", async ({ page }) => {
  const email = newEmail();
  await signUpByForm(page, email);
  await page.goto("/account/profile");
  // What is typed in one form outlives the saving of another.
  await page.getByLabel("Firstname").fill("Augusta");
  await page.getByRole("textbox", { name: "Number" }).fill("-49 30");
  await page.getByRole("textbox", { name: "Number" }).blur();
  await expect(page.getByText("A phone number can't start with a minus")).toBeVisible();
  await page.getByLabel("Country").selectOption("DE");
  await page.getByRole("textbox", { name: "Number" }).fill("030 901820");
  await saveIn(page, "Phone number");
  await expect(page.getByRole("textbox", { name: "Number" })).toHaveValue("+49 30 901820");
  await expect(page.getByLabel("Firstname")).toHaveValue("Augusta");
  await saveIn(page, "Your name");
  await expect(page.getByText("Welcome, Augusta Lovelace")).toBeVisible();
  const parts = page.getByRole("navigation", { name: "Profile" });
  await parts.getByRole("link", { name: "E-mails" }).click();
  await page.getByLabel("Your phrase").fill("blue heron");
  await saveIn(page, "Anti-phishing phrase");
  await expectSound(page, "/account/profile/emails");
  await parts.getByRole("link", { name: "Display" }).click();
  await page.getByLabel("Time zone", { exact: true }).selectOption("Asia/Tokyo");
  await page.getByLabel("Format of dates and numbers").selectOption("de-DE");
  await saveIn(page, "Dates, numbers and time zone");
  await page.reload();
  await expect(page.getByLabel("Time zone", { exact: true })).toHaveValue("Asia/Tokyo");
  await expectSound(page, "/account/profile");
  // No stranger's phrase goes to an address that nobody has shown to be theirs.
  await page.goto(linkIn(await mailTo(email, /verif|confirm/i)));
  await page.getByRole("button", { name: /verif|confirm/i }).click();
  await expect(page.getByText(/verified|confirmed/i).first()).toBeVisible();
  await page.goto("/forgotpassword");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send Reset Link" }).click();
  expect((await mailTo(email, /reset/i)).text).toContain("Your phrase: blue heron");
});

test("a customer takes the data along, leaves, and changes his mind", async ({ page, place }) => {
  const email = newEmail();
  await signUp(page, email);
  await page.goto("/account/profile/data");
  await page.getByRole("button", { name: "Make a copy" }).click();
  await expect(page.getByText("We are making your copy").first()).toBeVisible();
  await mailTo(email, /your data/i);
  await page.reload();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download/ }).click(),
  ]);
  const files = unzipSync(await readFile(await download.path()));
  expect(strFromU8(files["data.json"] ?? new Uint8Array())).toContain(email);

  // So little that no transaction can carry it.
  const { db } = appBeside(place);
  const { rows } = await db.$client.query("select id from users where email = $1", [email]);
  await creditTestDeposit(db, rows[0].id, 545n);
  await page.getByRole("link", { name: "Close the account" }).click();
  await expect(
    page.getByText("You still have a balance, a pending deposit or a running contract"),
  ).toBeVisible();
  await expectSound(page, "/account/profile/close");
  await page.getByLabel("Current password", { exact: true }).fill("not my password");
  await page.getByRole("button", { name: "Close once I am paid out" }).click();
  await expect(page.getByText("This is not your current password")).toBeVisible();
  await page.getByLabel("Current password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Close once I am paid out" }).click();
  await expect(page.getByText("Too little to be sent")).toBeVisible();
  await expectSound(page, "/account/profile/close");
  await page.getByRole("button", { name: "Give it up" }).click();
  await page.waitForURL("**/login");
  await signIn(page, email);
  await expect(page.getByText("Login failed")).toBeVisible();
  await page.goto(linkIn(await mailTo(email, /is closed/)));
  await page.getByRole("button", { name: "Open the account again" }).click();
  await page.waitForURL("**/login");
  await signIn(page, email);
  await page.waitForURL("**/account/dashboard");
});

async function saveIn(page: import("@playwright/test").Page, title: string): Promise<void> {
  const part = page.getByRole("region", { name: title });
  const saved = page.waitForResponse((answer) => answer.request().method() === "POST");
  await part.getByRole("button", { name: "Save" }).click();
  await saved;
  await expect(page.getByText("Saved", { exact: true }).first()).toBeVisible();
}
