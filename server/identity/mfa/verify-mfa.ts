import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNotNull, lt } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { totpSecrets } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import type { Proof } from "../step-up/proof.ts";
import { checkPasskey } from "./check-passkey.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import { currentKeyName, openSecret, sealSecret } from "./seal-secret.ts";
import { appTime, matchTotp } from "./totp.ts";

/** What somebody shows besides the password: six digits of an app, a recovery code, or a passkey's signature. */
export type MfaResponse = { code: string } | { response: AuthenticationResponseJSON };

/**
 * Checks a second factor and uses it up: a code works once.
 *
 * @throws Refusal `identity/wrong-code` or `identity/passkey-refused`
 */
export async function verifyMfa(
  tx: Tx,
  { auth, config }: { auth: Auth; config: Site },
  given: { userId: string; factor: MfaResponse; now: Date },
): Promise<Proof> {
  const { userId, factor, now } = given;
  if ("response" in factor) {
    const asked = { purpose: "prove", userId } as const;
    await checkPasskey(tx, config, { response: factor.response, asked, now });
    return "passkey";
  }
  const digits = factor.code.replace(/\s/g, "");
  if (/^\d{6}$/.test(digits)) {
    await spendTotp(tx, auth, { userId, code: digits, now });
    return "totp";
  }
  if (await spendRecoveryCode(tx, { userId, code: factor.code, now })) return "recovery-code";
  throw new Refusal("identity/wrong-code");
}

async function spendTotp(
  tx: Tx,
  auth: Auth,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<void> {
  const own = and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt));
  const [app] = await tx.select().from(totpSecrets).where(own);
  if (!app) throw new Refusal("identity/wrong-code");
  const secret = openSecret(auth, userId, app);
  const step = matchTotp(secret, code, appTime(auth, now));
  if (step === null) throw new Refusal("identity/wrong-code");
  const isOld = app.keyName !== currentKeyName(auth);
  const spent = await tx
    .update(totpSecrets)
    .set({ lastStep: step, ...(isOld && sealSecret(auth, userId, secret)) })
    .where(and(eq(totpSecrets.id, app.id), lt(totpSecrets.lastStep, step)))
    .returning({ id: totpSecrets.id });
  if (spent.length === 0) throw new Refusal("identity/wrong-code");
}
