import { resetPassword } from "#server/identity/reset-password.ts";
import { signIn } from "#server/identity/sign-in.ts";
import { testPassword } from "../factories/customer.ts";
import type { TestApp } from "./test-app.ts";

/** Signs a person of the factories in, and returns the cookie of the session. */
export async function signInAs(
  { app }: Pick<TestApp, "app">,
  person: { email: string; invitationUrl?: string },
): Promise<string> {
  const now = app.now();
  if (person.invitationUrl) {
    const token = new URL(person.invitationUrl).searchParams.get("token") ?? "";
    await resetPassword(app.db, { token, password: testPassword, now });
  }
  const { cookies } = await signIn(app, {
    email: person.email,
    password: testPassword,
    rememberMe: true,
    clientAddress: "192.0.2.1",
    userAgent: "test",
    cookieHeader: "",
    now,
  });
  return cookies.map((cookie) => cookie.split(";")[0]).join("; ");
}
