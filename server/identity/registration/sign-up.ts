import { Refusal } from "#core/refusal.ts";
import type { Db } from "../../platform/database.ts";
import { clientNetwork, countAttempts } from "../../platform/rate-limit.ts";
import { turnOfStranger } from "../passwords/password.ts";
import { type Entrance, openSession } from "../sessions/open-session.ts";
import { type Effort, ofWholeSite, queueOf } from "../sign-in/effort.ts";
import { rememberDevice } from "../sign-in/known-device.ts";
import { limits } from "../sign-in/limits.ts";
import { registerCustomer } from "./register-customer.ts";

export interface SignUp {
  firstName: string;
  lastName: string;
  email: string;
  password: string;
  clientAddress: string;
  userAgent: string;
  /** What was done for a turn, when the site is busy. */
  effort?: Effort;
  now: Date;
}

/**
 * Registers a customer and opens a session until the browser closes. Should that be refused, the customer is
 * registered all the same, and there are no cookies.
 *
 * @throws Refusal `identity/email-taken`, `identity/password-too-common`, `-is-a-name` or `-breached`
 * @throws Busy before anything was done; for want of room also before it was counted
 * @throws TooManyAttempts
 */
export async function signUp(
  { db, ...entrance }: { db: Db } & Entrance,
  registration: SignUp,
): Promise<{ customerId: string; cookies: string[] }> {
  const { clientAddress, userAgent, effort = "none", now } = registration;
  const { auth, config: site } = entrance;
  const email = registration.email.toLowerCase();
  const counted = [
    [limits.signUpByNetwork, clientNetwork(clientAddress)] as const,
    ...ofWholeSite("signUp", clientAddress, effort),
    [limits.signUpByAccount, email] as const,
  ];
  const { customerId, passwordHash: hash } = await registerCustomer(db, {
    ...registration,
    site,
    turn: turnOfStranger(clientAddress, queueOf[effort]),
    count: () => countAttempts(db, counted, now),
  });
  const who = { userId: customerId, kind: "customer", provedBy: "password" } as const;
  const browser = { clientAddress, userAgent, cookieHeader: "", knownDevice: false, now };
  const opening = { ...who, ...browser, rememberMe: false, password: { hash, attempts: [] } };
  try {
    const session = await db.transaction((tx) => openSession(tx, entrance, opening));
    return {
      customerId,
      cookies: [...session, rememberDevice(auth, email, { known: null, hash })],
    };
  } catch (error) {
    if (error instanceof Refusal) return { customerId, cookies: [] };
    throw error;
  }
}
