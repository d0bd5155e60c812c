import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { uniquePicture } from "../factories/deposit.ts";
import {
  becomeOperator,
  expect,
  expectAccessible,
  mailTo,
  newEmail,
  signUp,
  test,
} from "./journey.ts";

test("a customer proves who he is, is declined in one part, sends it again, and two verifiers approve", async ({
  page,
  browser,
}) => {
  const email = newEmail("ada");
  const name = `Ada King ${randomBytes(3).toString("hex")}`;
  await signUp(page, email);
  await page.goto("/account/verification");
  await expect(page.getByText("no figures yet")).toBeVisible();
  await expect(page.getByRole("row", { name: /Country declared/ })).toContainText("$1,000.00");
  await stateCountry(page, "US");
  await expect(page.getByText(/We keep your answer/)).toBeVisible();
  await stateCountry(page, "GB");
  await expect(page.getByLabel("Legal name")).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel("Legal name").fill(name);
  await page.getByLabel("Date of birth").fill("2015-01-01");
  await page.getByLabel("Street and number").fill("12 St James's Square");
  await page.getByLabel("City").fill("London");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await expect(page.getByText("You must be 18 or older to be verified")).toBeVisible();
  await expect(page.getByLabel("Legal name")).toHaveValue(name);
  await page.getByLabel("Date of birth").fill("1990-12-10");
  await page.getByRole("button", { name: "Save and continue" }).click();

  await page.getByLabel("Document", { exact: true }).selectOption("identity-card");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await send(page, "Front of the identity document", Buffer.from("<svg/>"));
  await expect(page.getByText(/not a JPEG, PNG, WebP, HEIC or PDF/)).toBeVisible();
  await send(page, "Front of the identity document");
  await send(page, "Back of the identity document");
  await page.getByLabel("Second proof").selectOption("selfie");
  await page.getByRole("button", { name: "Save and continue" }).click();
  await send(page, "Photo of you with the document");
  await page.getByRole("button", { name: "Submit for verification" }).click();
  await expect(page.getByText("Submitted: our staff are checking it")).toBeVisible();
  await mailTo(email, /We received your verification/);

  const grace = await newVerifier(browser.newPage());
  await openCase(grace, name);
  await lookAtAll(grace);
  await expectAccessible(grace);
  await answerAll(grace, "No");
  await grace
    .getByLabel("Photo of you with the document", { exact: true })
    .fill("Your face is cut off.");
  await grace.getByRole("button", { name: "Decline and tell the customer" }).click();
  await expect(grace.getByText("Say in a note what is wrong").first()).toBeVisible();
  await answerAll(grace, "Yes");
  await grace.getByRole("button", { name: "Decline and tell the customer" }).click();
  await mailTo(email, /needs something from you/);

  await page.reload();
  await expect(page.getByText("Your face is cut off.")).toBeVisible();
  await expect(page.getByLabel("Legal name")).toHaveCount(0);
  await send(page, "Photo of you with the document");
  await page.getByRole("button", { name: "Submit for verification" }).click();
  await expect(page.getByText("Submitted: our staff are checking it")).toBeVisible();
  await expect(page.getByText(/The last decision took|of our last/)).toBeVisible();

  await openCase(grace, name);
  await grace.getByText("Ask for a second verifier").first().click();
  await grace.getByLabel("Reason").fill("The photo looks printed.");
  await grace.getByRole("button", { name: "Ask for a second verifier" }).click();
  await expect(grace.getByText("The photo looks printed.")).toBeVisible();
  await approve(grace);
  const alan = await newVerifier(browser.newPage());
  await openCase(alan, name);
  await approve(alan);
  await mailTo(email, /You are verified/);
  await page.reload();
  await expect(page.getByText("You are verified")).toBeVisible();
  await expect(page.getByRole("row", { name: /^Verified/ })).toContainText("Yours");
  await grace.context().close();
  await alan.context().close();
});

async function stateCountry(page: Page, country: string) {
  await page.getByLabel("Country you live in").selectOption(country);
  await page.getByRole("button", { name: "Save" }).click();
}

async function send(page: Page, label: string, buffer?: Buffer) {
  const file = { name: "document.png", mimeType: "image/png" };
  await page
    .getByLabel(label)
    .setInputFiles({ ...file, buffer: buffer ?? (await uniquePicture()) });
  await page.getByRole("button", { name: "Upload and continue" }).click();
  if (!buffer) await expect(page.getByLabel(label, { exact: true })).toHaveCount(0);
}

async function newVerifier(opening: Promise<Page>): Promise<Page> {
  const page = await opening;
  await becomeOperator(page);
  return page;
}

async function openCase(page: Page, name: string) {
  await page.goto("/operator/verification");
  await page.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name: "Checklist and decision" })).toBeVisible();
}

const parts = [
  "Front of the identity document",
  "Back of the identity document",
  "Photo of you with the document",
];

async function lookAtAll(page: Page) {
  for (const [index, part] of parts.entries()) {
    await page.getByRole("link", { name: `Look at it: ${part}` }).click();
    await expect(page.getByRole("img", { name: part })).toBeVisible();
    await expect(page.getByText("Looked at")).toHaveCount(index + 1);
  }
}

async function answerAll(page: Page, answer: "Yes" | "No") {
  for (const radio of await page.getByRole("radio", { name: answer }).all()) await radio.check();
}

async function approve(page: Page) {
  await lookAtAll(page);
  await answerAll(page, "Yes");
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("heading", { name: "Verification", exact: true })).toBeVisible();
}
