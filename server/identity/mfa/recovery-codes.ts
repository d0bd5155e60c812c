import { randomBytes, randomUUIDv7 } from "node:crypto";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { hashToken } from "../registration/issue-link.ts";
import { recoveryCodes } from "../schema.ts";

const codesAtATime = 10;
const groups = 4;
const groupLength = 7;
/** Crockford's alphabet: no letter looks like a digit. Five bits each, 140 in a code. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Makes ten recovery codes in place of those before. They can be read now and never again. */
export async function replaceRecoveryCodes(tx: Tx, userId: string, now: Date): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const codes = Array.from({ length: codesAtATime }, makeCode);
  await tx.insert(recoveryCodes).values(
    codes.map((code) => ({
      id: randomUUIDv7(),
      userId,
      codeSha256: hashToken(bare(code)),
      createdAt: now,
    })),
  );
  return codes;
}

/** Uses a recovery code up; false when it is none of this person's, or was used. */
export async function spendRecoveryCode(
  tx: Tx,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const spent = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeSha256, hashToken(bare(code))),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id });
  return spent.length > 0;
}

function makeCode(): string {
  const letters = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % 32]);
  return (letters.join("").match(new RegExp(`.{${groupLength}}`, "g")) ?? []).join("-");
}

/** However it was typed: without dashes, in capitals, O for 0, I and L for 1. */
function bare(code: string): string {
  const letters = code.toUpperCase().replace(/[^0-9A-Z]/g, "");
  return letters.replaceAll("O", "0").replace(/[IL]/g, "1");
}
