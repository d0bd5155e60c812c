import { setUpMfa } from "#server/identity/mfa/set-up-mfa.ts";
import { beginTotp } from "#server/identity/mfa/set-up-totp.ts";
import { resetPassword } from "#server/identity/passwords/reset-password.ts";
import { passMfa } from "#server/identity/sign-in/pass-mfa.ts";
import { findPendingMfaSession } from "#server/identity/sign-in/pending-mfa-session.ts";
import { signIn } from "#server/identity/sign-in/sign-in.ts";
import { testPassword } from "../factories/customer.ts";
import { addApp, hasApp, nextCode } from "./authenticator-apps.ts";
import type { TestApp } from "./test-app.ts";

const somewhere = { clientAddress: "192.0.2.1", userAgent: "test" };

/**
 * Signs a person of the factories in, and returns the cookie of the session. Staff set up an authenticator app the
 * first time and show a code of it afterwards.
 */
export async function signInAs(
  { app }: Pick<TestApp, "app">,
  person: { email: string; invitationUrl?: string },
  browser: { clientAddress: string; userAgent: string } = somewhere,
): Promise<string> {
  const now = app.now();
  if (person.invitationUrl && !hasApp(person.email)) {
    const token = new URL(person.invitationUrl).searchParams.get("token") ?? "";
    await resetPassword(app.db, { token, password: testPassword, site: app.config, now });
  }
  const from = { ...browser, now };
  const credentials = { email: person.email, password: testPassword, rememberMe: true };
  const first = await signIn(app, { ...credentials, ...from, cookieHeader: "" });
  if (first.step === "signed-in") return headerOf(first.cookies);
  const visitor = { ...from, cookieHeader: headerOf(first.cookies) };
  if (first.step === "set-up-second-factor") {
    const half = await findPendingMfaSession(app, visitor.cookieHeader, now);
    const begin = { userId: first.user.id, begunIn: half?.id ?? "", now };
    addApp(person.email, await beginTotp(app.db, app.auth, begin));
    const { cookies } = await setUpMfa(app, visitor, nextCode(person.email));
    return headerOf(cookies);
  }
  const { cookies } = await passMfa(app, visitor, { code: nextCode(person.email) });
  return headerOf(cookies);
}

/** What a browser would send back of the cookies that an answer sets. */
export function headerOf(cookies: string[]): string {
  return cookies
    .filter((cookie) => !/Max-Age=0/.test(cookie))
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
