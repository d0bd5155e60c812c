import { within } from "../setup/slowness.ts";
import {
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newEmail,
  password,
  signIn,
  signUp,
  signUpByForm,
  test,
} from "./journey.ts";

test("registration says what is wrong under a field, once it has been touched", async ({
  page,
}) => {
  await page.goto("/signup");
  const problems = page.getByText(
    /please enter|Invalid email format|Password is too short|Passwords must match|You must accept/,
  );
  await expect(problems).toHaveCount(0);
  await page.getByLabel("Firstname").focus();
  await page.getByLabel("Lastname").focus();
  await expect(page.getByText("please enter your first name")).toBeVisible();
  await expect(problems).toHaveCount(1);

  await page.getByLabel("Email").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel("Confirm Password", { exact: true }).fill("other");
  await page.getByLabel("Confirm Password", { exact: true }).blur();
  await expect(page.getByText("please enter your last name")).toBeVisible();
  await expect(page.getByText("Invalid email format")).toBeVisible();
  await expect(page.getByText("Password is too short - should be 8 chars minimum.")).toBeVisible();
  await expect(page.getByText("Passwords must match")).toBeVisible();
  await page.getByRole("button", { name: /register|sign up/i }).click();
  await expect(page.getByText("You must accept the terms and conditions")).toBeVisible();
  await expectAccessible(page);
});

test("a field that was left before the page's script came is told of when it has", async ({
  page,
}) => {
  const script = /\/assets\/auth-[\w-]{8}\.js$/;
  for (const [path, first, words] of [
    ["/signup", "Firstname", "please enter your first name"],
    ["/login", "Email", "please enter a valid email"],
  ] as const) {
    await page.route(script, async (route) => {
      await page.getByLabel(first).focus();
      await page.getByLabel("Password", { exact: true }).focus();
      await route.continue();
    });
    await page.goto(path);
    await expect(page.getByText(words)).toBeVisible();
    // The cursor's own field was not left.
    await expect(page.getByText("please enter a password")).toHaveCount(0);
    await page.unroute(script);
  }
});

test("registration sends a link that verifies the address once", async ({ page }) => {
  const email = newEmail();
  await signUpByForm(page, email);
  const mail = await mailTo(email, /verif|confirm/i);
  const link = linkIn(mail);
  // A mail scanner that opens the link does not use it up.
  await page.request.get(link);
  await page.goto(link);
  await page.getByRole("button", { name: /verif|confirm/i }).click();
  await expect(page.getByText(/verified|confirmed/i).first()).toBeVisible();
  await page.goto(link);
  const again = page.getByRole("button", { name: /verif|confirm/i });
  if (await again.isVisible()) await again.click();
  await expect(page.getByText(/already|no longer|used|expired/i).first()).toBeVisible();
});

test("a taken address is refused in the words of any other refusal, and its owner is told", async ({
  page,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, email);
  const other = await browser.newPage();
  await other.goto("/signup");
  await other.getByLabel("Firstname").fill("Mallory");
  await other.getByLabel("Lastname").fill("Malloy");
  await other.getByLabel("Email").fill(email.toUpperCase());
  await other.getByLabel("Password", { exact: true }).fill(password);
  await other.getByLabel("Confirm Password", { exact: true }).fill(password);
  await other.getByRole("checkbox").check();
  await other.getByRole("button", { name: /register|sign up/i }).click();
  await expect(other.getByText("registration failed")).toBeVisible();
  await expect(other.getByLabel("Firstname")).toHaveValue("Mallory");
  await mailTo(email, /account/i);
  await other.close();
});

test("a busy site says that nothing was checked, without a toast, and what was typed stays", async ({
  page,
}) => {
  await page.goto("/login");
  const busy = { busy: { waitingSince: "" }, result: { status: "error" } };
  await page.route("**/login", (route) => route.fulfill({ json: busy }));
  await page.route("**/contact/challenge", (route) => route.fulfill({ json: {} }));
  const field = page.getByLabel("Password", { exact: true });
  await page.getByLabel("Email").fill("ada@example.com");
  await field.fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "The site is very busy. Nothing was checked yet. Please try again in 10 seconds.",
  );
  await expect(page.getByText("Login failed")).toHaveCount(0);
  await expect(field).toHaveValue(password);
  await expectAccessible(page);
});

test("where a proxy answers in place of the site, the form says so and keeps what was typed", async ({
  context,
}) => {
  // Not the page of the fixture: its console has the 502.
  const page = await context.newPage();
  await page.goto("/login");
  const away = { status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" };
  await page.route("**/login", (route) => route.fulfill(away));
  const field = page.getByLabel("Password", { exact: true });
  await page.getByLabel("Email").fill("ada@example.com");
  await field.fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page.getByText("This has nothing to do with what you typed")).toBeVisible();
  await expect(page.getByText("Login failed")).toBeVisible();
  await expect(field).toHaveValue(password);
});

test("signing in leads to the page that was wanted, after the toast", async ({ page }) => {
  const email = newEmail();
  await signUpByForm(page, email);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByText("Successfully signed out")).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => sessionStorage.getItem("totalAmount"))).toBeNull();

  await page.goto("/account/deposit?show=25");
  await expect(page).toHaveURL(/\/login\?next=/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByText("Login successful")).toBeVisible();
  await page.waitForURL("**/account/deposit?show=25");
});

test("signing out on a lost line says so for 3 s, and everything stays as it was", async ({
  page: first,
}) => {
  await signUpByForm(first, newEmail());
  // The browser writes a lost line into its console, which no journey's own page may have.
  const page = await first.context().newPage();
  const kept = () => page.evaluate(() => sessionStorage.getItem("totalAmount"));
  await page.goto("/account/dashboard");
  await expect.poll(kept).not.toBeNull();
  const before = await kept();
  await page.route("**/signout", (route) => route.abort());
  await page.getByRole("button", { name: "Sign Out" }).click();
  const toast = page.getByRole("alert").filter({ hasText: "Error signing out: " });
  await expect(toast).toContainText("the server could not be reached. You are still signed in.");
  const shown = Date.now();
  const place = await toast.boundingBox();
  const { width } = page.viewportSize() ?? { width: 0 };
  expect(place?.y).toBeLessThan(120);
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeGreaterThan(width - 60);
  await expect(page).toHaveURL(/\/account\/dashboard$/);
  expect(await kept()).toBe(before);
  await expect(toast).toBeHidden({ timeout: within(10_000) });
  expect(Date.now() - shown).toBeGreaterThan(2000);
  await page.unroute("**/signout");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByText("Successfully signed out")).toBeVisible();
  expect(await kept()).toBeNull();
});

test("a reset link that could not be asked for is told of for 3 s, a sign-in that failed for 5 s", async ({
  page,
}) => {
  const refuse = (path: string) =>
    page.route(path, (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 400, json: { failure: "No" } })
        : route.continue(),
    );
  for (const [path, button, stays] of [
    ["/forgotpassword", "Send Reset Link", "3000ms"],
    ["/login", "Log in", "5000ms"],
  ] as const) {
    await refuse(`**${path}`);
    await page.goto(path);
    await page.getByLabel("Email").fill("ada@example.com");
    const word = page.getByLabel("Password", { exact: true });
    if (path === "/login") await word.fill(password);
    await page.getByRole("button", { name: button }).click();
    await expect(page.getByText("No", { exact: true })).toBeVisible();
    const toasts = page.locator("[data-toast-place] > *");
    const said = await toasts.evaluate((each) =>
      getComputedStyle(each).getPropertyValue("--toast-stays"),
    );
    expect(said).toBe(stays);
  }
});

test("a wrong password and an unknown address fail alike, and keep what was typed", async ({
  page,
}) => {
  const email = newEmail();
  await signUp(page, email);
  await page.context().clearCookies();
  for (const address of [email, newEmail("nobody")]) {
    await signIn(page, address, "not my password");
    await expect(page.getByText("Login failed")).toBeVisible();
    await expect(page.getByLabel("Email")).toHaveValue(address);
  }
  await expectAccessible(page);
});

test("a link to elsewhere in next is not followed", async ({ page }) => {
  const email = newEmail();
  await signUp(page, email);
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example"]) {
    await page.context().clearCookies();
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL("**/account/dashboard");
  }
});

test("Remember Me decides how long the session's cookie lives", async ({ page }) => {
  const email = newEmail();
  await signUp(page, email);
  const lifetimes: number[] = [];
  for (const remember of [true, false]) {
    await page.context().clearCookies();
    await page.goto("/login");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Remember Me").setChecked(remember);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL("**/account/dashboard");
    const session = (await page.context().cookies()).find((each) =>
      each.name.includes("session_token"),
    );
    expect(session?.httpOnly).toBe(true);
    expect(session?.sameSite).toBe("Lax");
    lifetimes.push(session?.expires ?? 0);
  }
  const days = ((lifetimes[0] ?? 0) * 1000 - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThan(30.1);
  // -1: the browser forgets it when it closes.
  expect(lifetimes[1]).toBe(-1);
});

test("a forgotten password is reset by mail, which ends every session", async ({
  page,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, email);
  const elsewhere = await browser.newPage();
  await elsewhere.goto("/forgotpassword");
  await elsewhere.getByLabel("Email").fill(email);
  await elsewhere.getByRole("button", { name: "Send Reset Link" }).click();
  await expect(elsewhere.getByText("Password reset link sent to your email")).toBeVisible();
  await elsewhere.waitForURL("**/login");
  const link = linkIn(await mailTo(email, /password/i));
  await elsewhere.goto(link);
  await elsewhere.getByLabel("Password", { exact: true }).fill("a different horse");
  await elsewhere.getByLabel("Confirm Password", { exact: true }).fill("a different horse");
  await expectAccessible(elsewhere);
  await elsewhere.getByRole("button", { name: "Set password" }).click();
  await elsewhere.waitForURL("**/login**");
  await page.goto("/account");
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, email);
  await expect(page.getByText("Login failed")).toBeVisible();
  await signIn(page, email, "a different horse");
  await page.waitForURL("**/account/dashboard");
  await elsewhere.goto(link);
  await expect(elsewhere.getByText(/already|no longer|used|expired/i).first()).toBeVisible();
  await elsewhere.close();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a person registers, signs out and signs in again", async ({ page }) => {
    const email = newEmail();
    await page.goto("/signup");
    await page.getByLabel("Firstname").fill("Ada");
    await page.getByRole("button", { name: /register|sign up/i }).click();
    await expect(page.getByText("please enter your last name")).toBeVisible();
    await expect(page.getByLabel("Firstname")).toHaveValue("Ada");
    await page.getByLabel("Lastname").fill("Lovelace");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Confirm Password", { exact: true }).fill(password);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: /register|sign up/i }).click();
    await page.waitForURL("**/account/dashboard");
    await page.getByRole("button", { name: "Sign Out" }).click();
    await page.waitForURL("**/login");
    await signIn(page, email);
    await page.waitForURL("**/account/dashboard");
    await expect(page.getByText("Ada Lovelace")).toBeVisible();
  });
});
