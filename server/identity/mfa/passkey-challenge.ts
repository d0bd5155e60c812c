import { randomBytes } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq, gt } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { passkeyChallenges } from "../schema.ts";

const minutesValid = 5;

/** What it is signed for; only a sign-in does not know yet who will sign. */
export type ChallengeFor =
  | { purpose: "register" | "prove"; userId: string }
  | { purpose: "sign-in"; userId: null };

/** 32 random bytes for an authenticator to sign, once, within five minutes. */
export async function issueChallenge(db: Db, wanted: ChallengeFor, now: Date): Promise<Uint8Array> {
  const challenge = randomBytes(32);
  const expiresAt = new Date(now.getTime() + minutesValid * 60_000);
  await db.insert(passkeyChallenges).values({ challenge, ...wanted, expiresAt });
  return challenge;
}

/**
 * Uses up the challenge that an authenticator's answer names, if it was given out for this.
 *
 * @returns the challenge in base64url, as the answer must repeat it
 * @throws Refusal `identity/passkey-refused`
 */
export async function spendChallenge(
  tx: Tx | Db,
  response: { response: { clientDataJSON: string } },
  wanted: ChallengeFor,
  now: Date,
): Promise<string> {
  const named = namedChallenge(response.response.clientDataJSON);
  const [spent] = await tx
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challenge, Buffer.from(named, "base64url")),
        eq(passkeyChallenges.purpose, wanted.purpose),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ userId: passkeyChallenges.userId });
  if (!spent || spent.userId !== wanted.userId) throw new Refusal("identity/passkey-refused");
  return named;
}

function namedChallenge(clientDataJSON: string): string {
  try {
    const said = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    if (typeof said?.challenge === "string") return said.challenge;
  } catch {
    // Not what an authenticator says.
  }
  throw new Refusal("identity/passkey-refused");
}
