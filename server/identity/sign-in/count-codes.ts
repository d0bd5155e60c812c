import { Refusal } from "#core/refusal.ts";
import type { Db } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import {
  type Counted,
  countAttempts,
  forgetAllAttempts,
  tally,
} from "../../platform/rate-limit.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { queueSecurityMail } from "../account/queue-security-mail.ts";
import type { MfaResponse } from "../mfa/verify-mfa.ts";
import type { Entrance } from "../sessions/open-session.ts";
import { browserFacts } from "./browser-facts.ts";
import { limits } from "./limits.ts";

/** Who shows a factor: in an open session, in a browser that is known, or as a stranger who knows the password. */
export type Shower = { sessionId: string } | { deviceId: string } | "stranger";

interface Shown {
  userId: string;
  by: Shower;
  clientAddress: string;
  userAgent: string;
  now: Date;
}

/**
 * Lets a factor be looked at, within the limits of whoever shows it. Only the six digits of an app can be guessed, so only they
 * count: strangers lock nobody out of a passkey or a recovery code, and never out of a session or a known browser. A wrong one is
 * counted for the account's owner, who is told at the fifth of a day.
 *
 * @throws TooManyAttempts, and what `prove` throws
 */
export async function countingCodes<T>(
  app: { db: Db } & Pick<Entrance, "config" | "ipCountry">,
  shown: Shown,
  factor: MfaResponse,
  prove: () => Promise<T>,
): Promise<T> {
  const counted = limitsOf(shown);
  if (isGuessable(factor)) await countAttempts(app.db, counted, shown.now);
  try {
    const proved = await prove();
    await forgetAllAttempts(app.db, counted);
    return proved;
  } catch (error) {
    if (error instanceof Refusal && error.code === "identity/wrong-code")
      await noteWrong(app, shown);
    throw error;
  }
}

function isGuessable(factor: MfaResponse): boolean {
  return "code" in factor && /^\d{6}$/.test(factor.code.replace(/\s/g, ""));
}

function limitsOf({ userId, by }: Shown): Counted {
  if (by === "stranger") {
    return [
      [limits.codesOfStrangers, userId],
      [limits.codesOfStrangersADay, userId],
    ];
  }
  if ("sessionId" in by) {
    return [
      [limits.codesInSession, by.sessionId],
      [limits.codesInSessionADay, by.sessionId],
    ];
  }
  return [
    [limits.codesOfDevice, by.deviceId],
    [limits.codesOfDeviceADay, by.deviceId],
  ];
}

/** The fifth wrong code of a day is told to the owner: by then it is no slip of the hand. */
async function noteWrong(
  { db, config: site, ipCountry }: { db: Db; config: Site } & Pick<Entrance, "ipCountry">,
  { userId, by, clientAddress, userAgent, now }: Shown,
): Promise<void> {
  const isInside = typeof by === "object" && "sessionId" in by;
  const limit = isInside ? limits.wrongCodesInside : limits.wrongCodes;
  await db.transaction(async (tx) => {
    const event = isInside ? "wrong-codes-in-session" : "wrong-codes";
    if ((await tally(tx, limit, userId, now)) !== limit.max) return;
    const from = { by: "system", ipAddress: clientAddress, userAgent } as const;
    await recordAccountEvent(tx, { userId, event, ...from, now });
    const sentence = isInside
      ? "Five wrong codes were entered in an open session of your account, where it asks for the second factor again."
      : "Someone entered the right password of your account, and then five wrong codes. They are not signed in. If it was not you, they know your password: set a new one.";
    const facts = browserFacts(ipCountry, { clientAddress, userAgent });
    const news = { what: event, sentence, facts } as const;
    await queueSecurityMail(tx, { userId, news, site, now });
  });
}
