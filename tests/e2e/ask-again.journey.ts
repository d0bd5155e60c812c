import type { Page } from "@playwright/test";
import pg from "pg";
import { findRunningEmbeddedPostgres } from "#server/platform/database/embedded-postgres.ts";
import {
  addAuthenticator,
  becomeOperator,
  expect,
  expectAccessible,
  newEmail,
  nextCode,
  password,
  signUp,
  test,
} from "./journey.ts";

/** Eleven minutes pass since anybody of these addresses has shown a second factor, or half an hour since the last use. */
async function letTimePass(email: string, what: "proved_at" | "last_used_at"): Promise<void> {
  const running = findRunningEmbeddedPostgres(process.env["JOURNEY_DATA_DIR"] ?? "");
  const client = new pg.Client(running?.ownerUrl);
  await client.connect();
  const minutes = what === "proved_at" ? 11 : 31;
  await client.query(
    `update sessions set ${what} = now() - make_interval(mins => $2)
      where user_id = (select id from users where email = $1)`,
    [email, minutes],
  );
  await client.end();
}

async function openAccess(page: Page, customer: string): Promise<void> {
  await page.goto(`/operator/customers?q=${encodeURIComponent(customer)}`);
  await page.getByRole("link", { name: "Ada Lovelace" }).first().click();
  await page.waitForURL("**/operator/customers/*");
  await page.goto(`${page.url()}/access`);
}

test("a form that staff send late asks for a code or a passkey, keeps what was typed, and is done once", async ({
  page,
  browser,
}) => {
  const customer = newEmail();
  const theirs = await (await browser.newContext()).newPage();
  await signUp(theirs, customer);
  const email = await becomeOperator(page);
  await addAuthenticator(page);
  await page.goto("/operator/security/passkey");
  await page.getByLabel("Name").fill("My telephone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL("**/operator/security/recovery-codes");
  await page.getByRole("button", { name: "Make recovery codes" }).click();
  const recovery = await page
    .getByRole("list", { name: "Recovery codes" })
    .getByRole("listitem")
    .first()
    .innerText();

  await openAccess(page, customer);
  await letTimePass(email, "proved_at");
  await page.getByLabel("Reason").first().fill("A strange sign-in,\nat night");
  await page.getByRole("button", { name: "Freeze and tell the customer" }).click();
  await expect(page.getByRole("heading", { name: "Is it you?" })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Code").fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("This code is not right")).toBeVisible();
  await page.getByLabel("Code").fill(nextCode(email));
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Frozen", { exact: false }).first()).toBeVisible();

  await openAccess(page, customer);
  await expect(page.getByText("at night")).toBeVisible();
  await letTimePass(email, "proved_at");
  await page.getByLabel("Reason").first().fill("It was her");
  await page.getByRole("button", { name: "Open the account" }).click();
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(/customers\/[^/]+$/);

  // What is refused behind the question stands on its page again, with its fault.
  const name = newEmail("pool");
  for (const late of [false, true]) {
    await page.goto("/operator/payouts/pools");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await page.getByLabel("Counts from (UTC day)").fill(late ? "2099-01-02" : "2099-01-01");
    if (late) await letTimePass(email, "proved_at");
    await page.getByRole("button", { name: "Add the pool" }).click();
    if (late) await page.getByRole("button", { name: "Use a passkey" }).click();
    else await expect(page.getByRole("cell", { name })).toBeVisible();
  }
  await expect(page.getByText("Another pool has this name")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(name);

  await openAccess(page, customer);
  await letTimePass(email, "last_used_at");
  await page.getByLabel("Reason").first().fill("Typed before lunch");
  await page.getByRole("button", { name: "Freeze and tell the customer" }).click();
  await expect(page.getByRole("heading", { name: "You were signed out" })).toBeVisible();
  await expectAccessible(page);
  const [window] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Sign in again" }).click(),
  ]);
  await expect(window.getByText("because you were inactive")).toBeVisible();
  await window.getByLabel("Email").fill(email);
  await window.getByLabel("Password", { exact: true }).fill(password);
  await window.getByRole("button", { name: "Log in" }).click();
  // The app has shown as many codes as may be taken within so few seconds.
  await window.getByLabel("Code").fill(recovery);
  await window.getByRole("button", { name: "Continue" }).click();
  await window.waitForURL("**/access");
  await page.getByRole("button", { name: "Send it now" }).click();
  await page.waitForURL(/customers\/[^/]+$/);
});
