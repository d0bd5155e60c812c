import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { base32nopad } from "@scure/base";
import { createTestCustomer, testPassword } from "../factories/customer.ts";
import { uniquePicture } from "../factories/deposit.ts";
import { createTestOperator } from "../factories/operator.ts";
import { appBeside } from "../setup/app-beside.ts";
import "../setup/password-cost.ts";
import { nextCode, addApp as putIntoApp } from "../setup/authenticator-apps.ts";
import type { RunningProduct } from "../setup/run-product.ts";
import { signInAs } from "../setup/sign-in-as.ts";
import { isLong } from "../setup/slowness.ts";

export interface Mail {
  to: string[];
  subject: string;
  text: string;
  html: string;
}

type Place = Pick<RunningProduct, "url" | "dataDir">;

/** The product of the test that runs in this process: one at a time. */
let here: Place = { url: "", dataDir: "" };

/**
 * A browser that fails its test when a page logs an error, breaks its own security policy, or asks another host for anything,
 * unless `asksOthers`.
 */
export const test = base.extend<{ place: Place; standHere: undefined; asksOthers: boolean }>({
  asksOthers: [false, { option: true }],
  /** The product that the journey leads through. */
  // biome-ignore lint/correctness/noEmptyPattern: the library reads the parameter's names
  place: async ({}, use) => {
    await use({
      url: process.env["JOURNEY_URL"] ?? "",
      dataDir: process.env["JOURNEY_DATA_DIR"] ?? "",
    });
  },
  standHere: [
    async ({ place }, use) => {
      here = place;
      await use(undefined);
    },
    { auto: true },
  ],
  baseURL: async ({ place }, use) => {
    await use(place.url);
  },
  context: async ({ context, place, asksOthers }, use) => {
    await context.setExtraHTTPHeaders({ "x-forwarded-for": someAddress() });
    const others = watchOtherHosts(context, place.url);
    await use(context);
    if (!asksOthers) expect(others, "requests that left for another host").toEqual([]);
  },
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) waitForScripts(page);
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() !== "error" || isExpected(message.text())) return;
      errors.push(`${page.url()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.message}`));
    await use(page);
    expect(errors, "errors in the browser's console").toEqual([]);
  },
});

/** What pages ask of hosts other than the site's own, as they are asked. */
export function watchOtherHosts(context: BrowserContext, own: string): string[] {
  const others: string[] = [];
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(own).origin) others.push(origin);
  });
  return others;
}

/**
 * Lets a journey act on a page that React does not take over when its script has run, which is asked for when the page has
 * been drawn. What a person does before that needs no script, and is said where it matters.
 */
function waitForScripts(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (...to) => {
    const answer = await goto(...to);
    await page.evaluate(async () => {
      const [, script] =
        /"(\/assets\/(?:site|auth)-[\w-]{8}\.js)"/.exec(document.head.innerHTML) ?? [];
      if (!script) return;
      await new Promise((resolve) => {
        new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
        setTimeout(resolve, 2000);
      });
      await import(script);
    });
    return answer;
  };
}

/** The browser reports every refused form as a failed resource; the tests assert those answers themselves. */
function isExpected(text: string): boolean {
  return /Failed to load resource: the server responded with a status of 4\d\d/.test(text);
}

export { expect, nextCode };

/** A part of a name that nobody else has: letters, as names are made of. */
export function someLetters(): string {
  return randomBytes(4)
    .toString("hex")
    .replace(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "");
}

export function newEmail(name = "customer"): string {
  return `${name}-${randomBytes(5).toString("hex")}@example.com`;
}

/** An address of its own, so that nobody shares a rate limit. */
function someAddress(): string {
  const [a, b] = randomBytes(2);
  return `198.18.${a}.${b}`;
}

export const password = testPassword;

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
      { message: `a mail ${subject} to ${address}`, intervals: [100] },
    )
    .toBe(true);
  if (!found) throw new Error("unreachable");
  return found;
}

/** The first link to the product in a mail's text. */
export function linkIn(mail: Mail): string {
  const link = mail.text.match(/https?:\/\/[^\s>)\]]+/g)?.find((each) => each.startsWith(here.url));
  if (!link) throw new Error(`no link to the product in: ${mail.text}`);
  return link;
}

/** Makes a customer, and opens the dashboard in his browser. For journeys that are not about registering. */
export async function signUp(
  page: Page,
  email: string,
  [firstName, lastName]: readonly [string, string] = ["Ada", "Lovelace"],
) {
  const app = appBeside(here);
  const person = { firstName, lastName, email, site: app.config, now: app.now() };
  const customer = await createTestCustomer(app.db, person);
  await giveCookies(page, await signInAs({ app }, customer, await browserOf(page)));
  await page.goto(`${here.url}/account/dashboard`);
}

/** Registers as a customer does. */
export async function signUpByForm(
  page: Page,
  email: string,
  name: readonly [string, string] = ["Ada", "Lovelace"],
) {
  await page.goto("/signup");
  await page.getByLabel("Firstname").fill(name[0]);
  await page.getByLabel("Lastname").fill(name[1]);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(password);
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

/** Makes an operator who owns an authenticator app, and opens the console. For journeys that are not about that. */
export async function becomeOperator(page: Page): Promise<string> {
  const app = appBeside(here);
  const olga = { email: newEmail("operator"), firstName: "Olga", lastName: "Prober" };
  const operator = await createTestOperator(app.db, olga);
  await giveCookies(page, await signInAs({ app }, operator, await browserOf(page)));
  await page.goto(`${here.url}/operator`);
  return operator.email;
}

async function browserOf(page: Page): Promise<{ clientAddress: string; userAgent: string }> {
  const userAgent = await page.evaluate(() => navigator.userAgent);
  return { clientAddress: someAddress(), userAgent };
}

async function giveCookies(page: Page, header: string): Promise<void> {
  const cookies = header.split("; ").map((cookie) => {
    const [name = "", ...value] = cookie.split("=");
    return {
      name,
      value: value.join("="),
      url: here.url,
      httpOnly: true,
      sameSite: "Lax" as const,
    };
  });
  await page.context().addCookies(cookies);
}

/** Makes an operator with the product's own command, follows the one-time link to a password, and sets up an app. */
export async function becomeOperatorByCommand(page: Page): Promise<string> {
  const email = newEmail("operator");
  const output = execFileSync(
    process.execPath,
    ["scripts/operator.ts", "create", email, "Olga Prober"],
    {
      encoding: "utf8",
      env: {
        ...process.env,
        DATA_DIR: here.dataDir,
        APP_URL: here.url,
        LOG_LEVEL: "error",
      },
    },
  );
  const link = /https?:\/\/\S+/.exec(output)?.[0];
  if (!link) throw new Error(`no link in: ${output}`);
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm Password", { exact: true }).fill(password);
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

/** Puts a secret that a page shows into somebody's app. */
export function addApp(email: string, secret: string): void {
  putIntoApp(email, base32nopad.decode(secret.replaceAll(" ", "")));
}

const axeSource = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** axe finds nothing on the page as it stands now, or nothing about its colours. */
export async function expectAccessible(page: Page, about?: "colours"): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  const only = about && ["color-contrast", "link-in-text-block"];
  const found = await page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      // They hold mails, whose scripts do not run, so that they cannot be asked, or a provider's widgets.
      iframes: false,
      ...(only && { runOnly: only }),
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  }, only);
  expect(found, `axe on ${page.url()}`).toEqual([]);
}

// 320 px is a window of 1280 at 400 %, the narrowest that WCAG asks for; 640 is one at 200 %.
const widths = isLong ? [320, 640, 768, 1280, 1920] : [320, 768, 1280];

/** Nothing of the page sticks out sideways at any width, and axe is content with it, light and dark. */
export async function expectSound(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(path);
  // A visit's first page gets its fonts last.
  await expect(page.locator("html")).not.toHaveAttribute("data-fonts");
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${path} at ${width} px sticks out`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
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
