import { randomBytes, randomUUIDv7 } from "node:crypto";
import { base32nopad } from "@scure/base";
import { renderSVG } from "uqr";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNotNull, isNull, ne, type SQL } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import type { Site } from "../../platform/mail/layout.ts";
import { totpSecrets } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { openSecret, sealSecret } from "./seal-secret.ts";
import { appTime, matchTotp, totpUri } from "./totp.ts";

/** Bytes, as long as what SHA-1 gives (RFC 4226). */
const secretBytes = 20;

/** Whose app is set up, and in which session or pending MFA session: nobody else has seen the secret. */
interface SetUp {
  userId: string;
  begunIn: string;
}

/**
 * The secret for an app that is being set up: the same until it is confirmed, so that a reload does not change it, and
 * another in every sign-in, so that nobody's second factor is what somebody else saw before.
 */
export async function beginTotp(
  db: Db,
  auth: Auth,
  { userId, begunIn, now }: SetUp & { now: Date },
): Promise<Buffer> {
  await db.delete(totpSecrets).where(and(beingSetUp(userId), ne(totpSecrets.begunIn, begunIn)));
  const secret = randomBytes(secretBytes);
  const sealed = sealSecret(auth, userId, secret);
  const added = await db
    .insert(totpSecrets)
    .values({ id: randomUUIDv7(), userId, begunIn, ...sealed, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: totpSecrets.id });
  if (added.length > 0) return secret;
  const [begun] = await db
    .select()
    .from(totpSecrets)
    .where(and(beingSetUp(userId), eq(totpSecrets.begunIn, begunIn)));
  if (!begun) throw new Refusal("identity/set-up-again");
  return openSecret(auth, userId, begun);
}

/** No one else may have seen a secret that comes into use: after a new step-up, the set-up begins anew. */
export async function forgetBegunTotp(tx: Tx, userId: string): Promise<void> {
  await tx.delete(totpSecrets).where(beingSetUp(userId));
}

function beingSetUp(userId: string): SQL | undefined {
  return and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt));
}

/**
 * Puts the app that is being set up in the place of the one before, once it has shown a right code, which is used up
 * by that.
 *
 * @throws Refusal `identity/wrong-code`, `identity/set-up-again`
 */
export async function confirmTotp(
  tx: Tx,
  auth: Auth,
  { userId, begunIn, code, now }: SetUp & { code: string; now: Date },
): Promise<void> {
  const [begun] = await tx
    .select()
    .from(totpSecrets)
    .where(and(beingSetUp(userId), eq(totpSecrets.begunIn, begunIn)))
    .for("update");
  if (!begun) throw new Refusal("identity/set-up-again");
  const secret = openSecret(auth, userId, begun);
  const step = matchTotp(secret, code.replace(/\s/g, ""), appTime(auth, now));
  if (step === null) throw new Refusal("identity/wrong-code");
  await tx
    .delete(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)));
  await tx
    .update(totpSecrets)
    .set({ confirmedAt: now, lastStep: step })
    .where(eq(totpSecrets.id, begun.id));
}

/** What the page shows to set an app up: the QR code as an image, and the secret to type where none can be scanned. */
export async function drawTotp(
  { db, auth, config }: { db: Db; auth: Auth; config: Site },
  { email, ...begin }: SetUp & { email: string; now: Date },
): Promise<{ qrCode: string; secret: string }> {
  const secret = await beginTotp(db, auth, begin);
  const svg = renderSVG(totpUri(secret, { siteName: config.siteName, email }), { border: 2 });
  const groups = base32nopad.encode(secret).match(/.{1,4}/g) ?? [];
  return { qrCode: `data:image/svg+xml,${encodeURIComponent(svg)}`, secret: groups.join(" ") };
}
