import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { passkeys } from "../schema.ts";
import { type ChallengeFor, spendChallenge } from "./passkey-challenge.ts";
import { passkeySite } from "./passkey-site.ts";

/**
 * Checks what an authenticator signed, and notes its counter: one that went back shows a copy and is refused,
 * also by PostgreSQL (`passkey_counters_never_go_back`). The challenge is used up by the attempt's transaction.
 *
 * @returns whose passkey it is
 * @throws Refusal `identity/passkey-refused`
 */
export async function checkPasskey(
  tx: Tx,
  site: Site,
  proof: { response: AuthenticationResponseJSON; asked: ChallengeFor; now: Date },
): Promise<{ userId: string }> {
  const { response, asked, now } = proof;
  const at = passkeySite(site);
  if (!at) throw new Refusal("identity/no-passkeys-here");
  const expectedChallenge = await spendChallenge(tx, response, asked, now);
  const [passkey] = await tx
    .select()
    .from(passkeys)
    .where(eq(passkeys.credentialId, Buffer.from(response.id, "base64url")))
    .for("update");
  if (!passkey || (asked.userId !== null && passkey.userId !== asked.userId)) {
    throw new Refusal("identity/passkey-refused");
  }
  const signCount = await verifyAssertion(at, passkey, { response, expectedChallenge });
  if (signCount === null) throw new Refusal("identity/passkey-refused");
  await tx.update(passkeys).set({ signCount, lastUsedAt: now }).where(eq(passkeys.id, passkey.id));
  return { userId: passkey.userId };
}

/** Whether this passkey signed the challenge at this site for a person whom it verified: its new counter, or null. */
export async function verifyAssertion(
  at: { origin: string; rpID: string },
  passkey: { publicKey: Uint8Array; signCount: number },
  said: { response: AuthenticationResponseJSON; expectedChallenge: string },
): Promise<number | null> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...said,
    expectedOrigin: at.origin,
    expectedRPID: at.rpID,
    requireUserVerification: true,
    credential: {
      id: said.response.id,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: passkey.signCount,
    },
  }).catch(() => ({ verified: false, authenticationInfo: null }));
  return verified && authenticationInfo ? authenticationInfo.newCounter : null;
}
