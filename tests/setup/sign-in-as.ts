import { passSecondFactor } from "#server/identity/pass-second-factor.ts";
import { resetPassword } from "#server/identity/reset-password.ts";
import { setUpFirstFactor } from "#server/identity/set-up-first-factor.ts";
import { beginTotp } from "#server/identity/set-up-totp.ts";
import { signIn } from "#server/identity/sign-in.ts";
import { totpCode, totpStep } from "#server/identity/totp.ts";
import { testPassword } from "../factories/customer.ts";
import type { TestApp } from "./test-app.ts";

/** The authenticator apps of people whom this test file has signed in, and the newest step that each has shown. */
const apps = new Map<string, { secret: Uint8Array; step: number }>();

/**
 * Signs a person of the factories in, and returns the cookie of the session. Staff set up an authenticator app the
 * first time and show a code of it afterwards.
 */
export async function signInAs(
  { app }: Pick<TestApp, "app">,
  person: { email: string; invitationUrl?: string },
): Promise<string> {
  const now = app.now();
  if (person.invitationUrl && !apps.has(person.email)) {
    const token = new URL(person.invitationUrl).searchParams.get("token") ?? "";
    await resetPassword(app.db, { token, password: testPassword, site: app.config, now });
  }
  const from = { clientAddress: "192.0.2.1", userAgent: "test", now };
  const credentials = { email: person.email, password: testPassword, rememberMe: true };
  const first = await signIn(app, { ...credentials, ...from, cookieHeader: "" });
  if (first.step === "signed-in") return headerOf(first.cookies);
  const visitor = { ...from, cookieHeader: headerOf(first.cookies) };
  if (first.step === "set-up-second-factor") {
    const secret = await beginTotp(app.db, app.auth, { userId: first.user.id, now });
    apps.set(person.email, { secret, step: totpStep(now) - 2 });
    const { cookies } = await setUpFirstFactor(app, visitor, nextCode(person.email));
    return headerOf(cookies);
  }
  const { cookies } = await passSecondFactor(app, visitor, { code: nextCode(person.email) });
  return headerOf(cookies);
}

/** What the app of somebody signed in here shows. A code works once: three in a row lie within the drift that is allowed. */
export function nextCode(email: string): string {
  const app = apps.get(email);
  if (!app) throw new Error(`${email} has no authenticator app`);
  app.step = Math.max(app.step + 1, totpStep(new Date()) - 1);
  return totpCode(app.secret, app.step);
}

function headerOf(cookies: string[]): string {
  return cookies
    .filter((cookie) => !/Max-Age=0/.test(cookie))
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
