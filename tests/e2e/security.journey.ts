import {
  addApp,
  addAuthenticator,
  becomeOperator,
  expect,
  expectAccessible,
  linkIn,
  mailTo,
  newEmail,
  nextCode,
  signIn,
  signInAsStaff,
  signUp,
  test,
} from "./journey.ts";

test("an authenticator app from set-up to sign-in, and a recovery code when it is lost", async ({
  page,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, email);
  await page.goto("/account/profile");
  await page
    .getByRole("navigation", { name: "Account" })
    .getByRole("link", { name: "Security" })
    .click();
  await expectAccessible(page);
  // From a withdrawal that needs it, and back to it.
  await page.goto("/account/withdraw");
  await expect(page.getByRole("button", { name: "Request withdrawal" })).toBeDisabled();
  await page.getByRole("link", { name: "Set up an authenticator app" }).click();
  addApp(email, await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText());
  await page.getByLabel("The six digits that the app shows").fill("000000");
  await page.getByRole("button", { name: "Set up" }).click();
  await expect(page.getByText("This code is not right")).toBeVisible();
  await page.getByLabel("The six digits that the app shows").fill(nextCode(email));
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("button", { name: "Make recovery codes" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const recovery = await codes.first().innerText();
  await page.getByRole("link", { name: "Continue to your withdrawal" }).click();
  // The way to a first withdrawal goes on: the country is asked next.
  await expect(page.getByLabel("Country you live in")).toBeVisible();
  await page.goto("/account/security");
  await expect(page.getByText("Withdrawals are paused")).toBeVisible();
  expect((await mailTo(email, /second factor of your .+ was changed/)).text).toContain(
    "/freeze?token=",
  );

  const elsewhere = await (await browser.newContext()).newPage();
  for (const [first, second] of [
    ["123456", nextCode(email)],
    ["not a code", recovery],
  ] as const) {
    await signIn(elsewhere, email);
    await elsewhere.waitForURL("**/login/second-factor");
    await elsewhere.getByLabel("Code").fill(first);
    await elsewhere.getByRole("button", { name: "Continue" }).click();
    await expect(elsewhere.getByText("This code is not right")).toBeVisible();
    await elsewhere.getByLabel("Code").fill(second);
    await elsewhere.getByRole("button", { name: "Continue" }).click();
    await elsewhere.waitForURL("**/account/dashboard");
    await elsewhere.context().clearCookies();
  }
  await page.reload();
  await expect(page.getByText("9 of 10 left")).toBeVisible();
  await elsewhere.context().close();
});

test("a passkey is added, signs in without a password, and is asked for after one", async ({
  page,
}) => {
  const email = newEmail();
  await addAuthenticator(page);
  await signUp(page, email);
  await page.goto("/account/security/passkey");
  await page.getByLabel("Name").fill("My telephone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL("**/account/security/recovery-codes");
  await page.goto("/account/security");
  await expect(page.getByText("Passkey: My telephone", { exact: true })).toBeVisible();

  await page.context().clearCookies();
  await page.goto("/login?next=/account/security");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL("**/account/security");
  await expect(page.getByText("with a passkey")).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, email);
  await page.waitForURL("**/login/second-factor");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL("**/account/dashboard");
});

test("a stranger's sign-in is told by mail, its link freezes the account, and staff open it again", async ({
  page,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, email, ["Frieda", "Frost"]);
  const thief = await (await browser.newContext()).newPage();
  await signIn(thief, email);
  await thief.waitForURL("**/account/dashboard");
  const mail = await mailTo(email, /New sign-in/);
  const owner = await (await browser.newContext()).newPage();
  await owner.goto(linkIn(mail));
  await expectAccessible(owner);
  await thief.reload();
  await expect(thief.getByRole("heading", { name: "Dashboard" })).toBeVisible();
  await owner.getByRole("button", { name: "Freeze the account" }).click();
  await expect(owner.getByRole("heading", { name: "The account is frozen" })).toBeVisible();
  await thief.goto("/account");
  await thief.waitForURL("**/login?**");
  await signIn(thief, email);
  await expect(thief.getByText(/This account is frozen/)).toBeVisible();
  await expect(thief.getByRole("link", { name: "the contact page" })).toHaveAttribute(
    "href",
    "/contact",
  );
  await mailTo(email, /account is frozen/);

  const staff = await (await browser.newContext()).newPage();
  const olga = await becomeOperator(staff);
  await staff.context().clearCookies();
  await signInAsStaff(staff, olga);
  await staff.waitForURL("**/operator");
  await staff.goto(`/operator/customers?q=${encodeURIComponent(email)}`);
  await staff.getByRole("link", { name: /Frieda Frost/ }).click();
  await staff.getByRole("link", { name: "Why, and opening it again" }).click();
  await expectAccessible(staff);
  await staff.getByLabel("Reason").fill("You called, and answered what we asked");
  await staff.getByRole("button", { name: "Open the account" }).click();
  await expect(staff.getByText("The account is open again")).toBeVisible();
  await signIn(owner, email);
  await owner.waitForURL("**/account/dashboard");
  await owner.goto("/account/security");
  await expect(owner.getByText("Why: You called, and answered what we asked")).toBeVisible();
  for (const one of [thief, owner, staff]) await one.context().close();
});
