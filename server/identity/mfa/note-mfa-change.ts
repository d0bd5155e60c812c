import { and, eq, ne } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { countAttempts } from "../../platform/rate-limit.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import { holdMoney } from "../account/hold-money.ts";
import { queueSecurityMail } from "../account/queue-security-mail.ts";
import type { Actor } from "../audit/actor.ts";
import { sessions } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { renewToken } from "../sessions/renew-token.ts";
import { limits } from "../sign-in/limits.ts";
import type { Proof } from "../step-up/proof.ts";

export interface MfaChange {
  event:
    | "authenticator-added"
    | "authenticator-removed"
    | "passkey-added"
    | "passkey-removed"
    | "recovery-codes-renewed";
  /** For the mail: "A passkey was added." */
  sentence: string;
  detail?: Record<string, string>;
}

/**
 * What belongs to every changed factor: history, a day's hold on the money, a mail. Counted, and with it whatever is refused then.
 *
 * @throws TooManyAttempts
 */
export async function noteMfaChange(
  tx: Tx,
  site: Site,
  actor: Omit<Actor, "sessionId">,
  change: MfaChange,
): Promise<void> {
  const { userId, clientAddress, userAgent, now } = actor;
  const { event, sentence, detail = {} } = change;
  const { factorChangesAnHour, factorChangesADay } = limits;
  const counted = [factorChangesAnHour, factorChangesADay].map((limit) => [limit, userId] as const);
  await countAttempts(tx, counted, now);
  await holdMoney(tx, userId, "mfa-changed", now);
  const by = { by: "self", ipAddress: clientAddress, userAgent } as const;
  await recordAccountEvent(tx, { userId, event, detail, ...by, now });
  const { name } = detail;
  const ownWords = name === undefined ? [] : ([["Its name", name]] as Array<[string, string]>);
  const news = { what: "mfa-changed", sentence, ownWords } as const;
  await queueSecurityMail(tx, { userId, news, site, now });
}

/**
 * With a second factor no session rests on a password alone: this one has just shown it, and gets a new token; others end.
 *
 * @returns the cookie to set
 */
export async function raiseSession(
  tx: Tx,
  auth: Auth,
  actor: Actor,
  provedBy: Proof,
): Promise<string> {
  const { userId, sessionId, now } = actor;
  await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        ne(sessions.id, sessionId),
        eq(sessions.provedBy, "password"),
      ),
    );
  return renewToken(tx, auth, sessionId, { provedBy, provedAt: now });
}
