import { createHash } from "node:crypto";
import { type Payload, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { z } from "#core/zod.ts";
import type { Db } from "../platform/database.ts";
import { challengeSecrets } from "./issue-challenge.ts";
import { contactSpentProofs } from "./schema.ts";

/** Whether a form came with the solution of a challenge of ours that has not expired. It counts once: then it is spent. */
export async function spendProof(
  db: Db,
  proof: { secret: string; text: string; now: Date },
): Promise<boolean> {
  const payload = read(proof.text);
  if (!payload) return false;
  const expiresAt = new Date(Number(payload.challenge.parameters.data?.["expiresAtMs"]));
  if (!(expiresAt > proof.now)) return false;
  const { verified } = await verifySolution({
    ...payload,
    ...challengeSecrets(proof.secret),
    deriveKey,
  });
  if (!verified) return false;
  const signatureSha256 = createHash("sha256").update(payload.challenge.signature).digest();
  const spent = await db
    .insert(contactSpentProofs)
    .values({ signatureSha256, expiresAt })
    .onConflictDoNothing()
    .returning({ expiresAt: contactSpentProofs.expiresAt });
  return spent.length === 1;
}

const shape = z.object({
  challenge: z.object({ parameters: z.looseObject({}), signature: z.string() }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

/** What a form brings is anybody's text: only its shape is believed, the signature decides. */
function read(text: string): (Payload & { challenge: { signature: string } }) | null {
  if (text === "" || text.length > 4_000) return null;
  try {
    const json: unknown = JSON.parse(Buffer.from(text, "base64").toString("utf8"));
    // Nothing but what the shape names: the library would take algorithms, too, that are written beside it.
    return shape.parse(json) as unknown as Payload & { challenge: { signature: string } };
  } catch {
    return null;
  }
}
