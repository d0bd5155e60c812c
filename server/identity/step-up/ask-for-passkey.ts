import { generateAuthenticationOptions, generateRegistrationOptions } from "@simplewebauthn/server";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { type ChallengeFor, issueChallenge } from "../mfa/passkey-challenge.ts";
import { passkeyAlgorithms, passkeySite } from "../mfa/passkey-site.ts";
import { passkeys, users } from "../schema.ts";

/**
 * What the browser asks an authenticator: to sign in, to prove again, or to make a new passkey. The person must
 * be verified by it (PIN, fingerprint, face), so that a passkey is two factors by itself.
 *
 * @throws Refusal `identity/no-passkeys-here` at an address that passkeys cannot be bound to
 */
export async function askForPasskey(
  { db, config }: { db: Db; config: Site },
  wanted: ChallengeFor,
  now: Date,
) {
  const site = passkeySite(config);
  if (!site) throw new Refusal("identity/no-passkeys-here");
  const challenge = Uint8Array.from(await issueChallenge(db, wanted, now));
  const own = wanted.userId === null ? [] : await listCredentials(db, wanted.userId);
  if (wanted.purpose !== "register") {
    return generateAuthenticationOptions({
      rpID: site.rpID,
      challenge,
      userVerification: "required",
      allowCredentials: own,
    });
  }
  const [user] = await db.select().from(users).where(eq(users.id, wanted.userId));
  if (!user) throw new Refusal("identity/passkey-refused");
  return generateRegistrationOptions({
    rpName: site.rpName,
    rpID: site.rpID,
    challenge,
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: `${user.firstName} ${user.lastName}`,
    attestationType: "none",
    supportedAlgorithmIDs: passkeyAlgorithms,
    excludeCredentials: own,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

async function listCredentials(db: Db, userId: string) {
  const own = await db.select().from(passkeys).where(eq(passkeys.userId, userId));
  return own.map(({ credentialId, transports }) => ({
    id: Buffer.from(credentialId).toString("base64url"),
    transports,
  }));
}
