import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import { type ChallengeFor, spendChallenge } from "./passkey-challenge.ts";
import { passkeySite } from "./passkey-site.ts";
import { passkeys } from "./schema.ts";

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
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: at.origin,
    expectedRPID: at.rpID,
    requireUserVerification: true,
    credential: {
      id: response.id,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: passkey.signCount,
    },
  }).catch(() => {
    throw new Refusal("identity/passkey-refused");
  });
  if (!verified) throw new Refusal("identity/passkey-refused");
  await tx
    .update(passkeys)
    .set({ signCount: authenticationInfo.newCounter, lastUsedAt: now })
    .where(eq(passkeys.id, passkey.id));
  return { userId: passkey.userId };
}
