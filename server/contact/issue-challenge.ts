import { type Challenge, createChallenge, randomInt } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { sign } from "./sign.ts";

/** Long enough to write a letter in. */
const validMinutes = 120;
/** With the counter below: about half a second on a desk, a few on an old telephone. Never longer: the end is fixed. */
const iterations = 5_000;
const counter = { min: 100, max: 200 };

/** What signs challenges, and what signs their solutions. */
export function challengeSecrets(secret: string) {
  return {
    hmacSignatureSecret: sign(secret, "challenge", "signature"),
    hmacKeySignatureSecret: sign(secret, "challenge", "solution"),
  };
}

/** Sets a task that costs a browser a moment of work and a flood of them a lot (ALTCHA, proof of work version 2). */
export function issueChallenge(secret: string, now: Date): Promise<Challenge> {
  return createChallenge({
    ...challengeSecrets(secret),
    algorithm: "PBKDF2/SHA-256",
    deriveKey,
    cost: iterations,
    counter: randomInt(counter.max, counter.min),
    data: { expiresAtMs: now.getTime() + validMinutes * 60_000 },
  });
}
