import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { totpCode, totpStep } from "#server/identity/totp.ts";
import { uniquePicture } from "../factories/deposit.ts";

export interface Mail {
  to: string[];
  subject: string;
  text: string;
  html: string;
}

const productUrl = (): string => process.env["JOURNEY_URL"] ?? "";

/** A browser page that fails its test when the page logs an error or breaks its own security policy. */
export const test = base.extend({
  baseURL: async ({ baseURL: _ }, use) => {
    await use(productUrl());
  },
  context: async ({ context }, use) => {
    const [a, b] = randomBytes(2);
    await context.setExtraHTTPHeaders({ "x-forwarded-for": `198.18.${a}.${b}` });
    await use(context);
  },
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && !isExpected(message.text())) errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    await use(page);
    expect(errors, "errors in the browser's console").toEqual([]);
  },
});

/** The browser reports every refused form as a failed resource; the tests assert those answers themselves. */
function isExpected(text: string): boolean {
  return /Failed to load resource: the server responded with a status of 4\d\d/.test(text);
}

export { expect };

export function newEmail(name = "customer"): string {
  return `${name}-${randomBytes(5).toString("hex")}@example.com`;
}

export const password = "correct horse battery";

/** Waits for the newest mail to an address whose subject matches. */
export async function mailTo(address: string, subject: RegExp): Promise<Mail> {
  const inbox = process.env["JOURNEY_INBOX"];
  let found: Mail | undefined;
  await expect
    .poll(
      async () => {
        const answer = await fetch(`${inbox}/?to=${encodeURIComponent(address)}`);
        const mails = (await answer.json()) as Mail[];
        found = mails.findLast((mail) => subject.test(mail.subject));
        return found !== undefined;
      },
      { message: `a mail ${subject} to ${address}`, timeout: 20_000, intervals: [100] },
    )
    .toBe(true);
  if (!found) throw new Error("unreachable");
  return found;
}

/** The first link to the product in a mail's text. */
export function linkIn(mail: Mail): string {
  const link = mail.text
    .match(/https?:\/\/[^\s>)\]]+/g)
    ?.find((each) => each.startsWith(productUrl()));
  if (!link) throw new Error(`no link to the product in: ${mail.text}`);
  return link;
}

export async function signUp(
  page: Page,
  email: string,
  name: readonly [string, string] = ["Ada", "Lovelace"],
) {
  await page.goto("/signup");
  await page.getByLabel("Firstname").fill(name[0]);
  await page.getByLabel("Lastname").fill(name[1]);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password").fill(password);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: /register|sign up/i }).click();
  await page.waitForURL("**/account/dashboard");
}

export async function signIn(page: Page, email: string, secret = password) {
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** Makes an operator with the product's own command and follows the one-time link to a password. */
export async function becomeOperator(page: Page): Promise<string> {
  const email = newEmail("operator");
  const output = execFileSync(
    process.execPath,
    ["scripts/operator.ts", "create", email, "Olga Prober"],
    {
      encoding: "utf8",
      env: {
        ...process.env,
        DATA_DIR: process.env["JOURNEY_DATA_DIR"],
        APP_URL: productUrl(),
        LOG_LEVEL: "error",
      },
    },
  );
  const link = /https?:\/\/\S+/.exec(output)?.[0];
  if (!link) throw new Error(`no link in: ${output}`);
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.waitForURL("**/login**");
  await signIn(page, email);
  await page.waitForURL("**/login/set-up-second-factor");
  const secret = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
  addApp(email, secret);
  await page.getByLabel("The six digits that the app shows").fill(nextCode(email));
  await page.getByRole("button", { name: "Set up" }).click();
  await page.waitForURL("**/operator/security/recovery-codes**");
  await page.goto("/operator");
  return email;
}

/** Signs staff in who have become operators in this test: password, then a code of their app. */
export async function signInAsStaff(page: Page, email: string): Promise<void> {
  await signIn(page, email);
  await page.waitForURL("**/login/second-factor**");
  await page.getByLabel("Code").fill(nextCode(email));
  await page.getByRole("button", { name: "Continue" }).click();
}

/** An authenticator of the test's own: it verifies its user and holds passkeys, as a telephone does. */
export async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** The authenticator apps of this test's people, and the newest step that each has shown. */
const apps = new Map<string, { secret: Uint8Array; step: number }>();

/** Puts a secret that a page shows into somebody's app. */
export function addApp(email: string, secret: string): void {
  apps.set(email, { secret: fromBase32(secret), step: totpStep(new Date()) - 2 });
}

/**
 * What the app shows. A code works once: three in a row lie within the drift that is allowed. The oldest of them is
 * taken only while it will still be allowed when it arrives.
 */
export function nextCode(email: string): string {
  const app = apps.get(email);
  if (!app) throw new Error(`${email} has no authenticator app`);
  app.step = Math.max(app.step + 1, totpStep(new Date(Date.now() + 15_000)) - 1);
  return totpCode(app.secret, app.step);
}

function fromBase32(text: string): Uint8Array {
  const letters = [...text.replaceAll(" ", "")];
  const bits = letters
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter))
    .map((value) => value.toString(2).padStart(5, "0"))
    .join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** axe finds nothing on the page as it stands now, or nothing about its colours. */
export async function expectAccessible(page: Page, about?: "colours"): Promise<void> {
  const axe = new AxeBuilder({ page })
    // What stands in a frame without scripts cannot be asked, in the shell not even in vain.
    .exclude("iframe[sandbox='']")
    .options({
      resultTypes: ["violations"],
      ...(about && { runOnly: ["color-contrast", "link-in-text-block"] }),
    })
    // No page of ours shows another host's frames: nothing is won by asking in a page of its own.
    .setLegacyMode();
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
  expect(found, `axe on ${page.url()}`).toEqual([]);
}

// 640 px is a window of 1280 at 200 %, 320 the narrowest that WCAG asks for.
const widths = [320, 360, 640, 768, 1280, 1920];

/** Nothing of the page sticks out sideways at any width, and axe is content with it, light and dark. */
export async function expectSound(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(path);
  // The console is made for 360 px and more.
  const from = path.startsWith("/operator") ? 360 : 320;
  for (const width of widths.filter((each) => each >= from)) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} at ${width} px sticks out`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await expectAccessible(page, "colours");
}

/** Sends the slip form as a customer does, and waits for its toast. */
export async function declareDeposit(page: Page, amount: string, method: string) {
  await page.goto("/account/deposit");
  await page.getByLabel("Amount").fill(amount);
  await page.getByLabel("Method", { exact: true }).selectOption(method);
  await page.locator('input[type="file"]').setInputFiles({
    name: "slip.png",
    mimeType: "image/png",
    buffer: await uniquePicture(),
  });
  await page.getByRole("button", { name: "Submit for review" }).click();
  await expect(page.getByText("Successfully saved")).toBeVisible();
}
