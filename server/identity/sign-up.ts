import { Refusal } from "#core/refusal.ts";
import type { Db } from "../platform/database.ts";
import { countAttempt, placeOf } from "../platform/rate-limit.ts";
import { limits } from "./limits.ts";
import type { Entrance } from "./open-session.ts";
import { registerCustomer } from "./register-customer.ts";
import { signIn } from "./sign-in.ts";

export interface SignUp {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  clientAddress: string;
  userAgent: string;
  now: Date;
}

/**
 * Registers a customer and signs him in until the browser closes. Should signing in be refused, he is
 * registered all the same, and there are no cookies.
 *
 * @throws Refusal `identity/email-taken`, `identity/password-too-common`, `-is-a-name` or `-breached`
 * @throws TooManyAttempts
 */
export async function signUp(
  { db, ...entrance }: { db: Db } & Entrance,
  registration: SignUp,
): Promise<{ customerId: string; cookies: string[] }> {
  const { email, clientAddress, now } = registration;
  await countAttempt(db, limits.signUpByPlace, placeOf(clientAddress), now);
  await countAttempt(db, limits.signUpByAccount, email.toLowerCase(), now);
  const { customerId } = await registerCustomer(db, { ...registration, site: entrance.config });
  const session = signIn(
    { db, ...entrance },
    { ...registration, rememberMe: false, cookieHeader: "" },
  );
  const cookies = await session.then((opened) => opened.cookies, noneWhenRefused);
  return { customerId, cookies };
}

function noneWhenRefused(error: unknown): string[] {
  if (error instanceof Refusal) return [];
  throw error;
}
