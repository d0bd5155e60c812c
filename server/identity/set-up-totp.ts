import { randomBytes, randomUUIDv7 } from "node:crypto";
import { renderSVG } from "uqr";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNotNull, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Site } from "../platform/mail/layout.ts";
import type { Auth } from "./auth.ts";
import { totpSecrets } from "./schema.ts";
import { openSecret, sealSecret } from "./seal-secret.ts";
import { matchTotp, toBase32, totpUri } from "./totp.ts";

/** Bytes, as long as what SHA-1 gives (RFC 4226). */
const secretBytes = 20;

/** The secret for an app that is being set up: the same until it is confirmed, so that a reload does not change it. */
export async function beginTotp(
  db: Db,
  auth: Auth,
  { userId, now }: { userId: string; now: Date },
): Promise<Buffer> {
  const secret = randomBytes(secretBytes);
  const sealed = sealSecret(auth, userId, secret);
  const added = await db
    .insert(totpSecrets)
    .values({ id: randomUUIDv7(), userId, ...sealed, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: totpSecrets.id });
  if (added.length > 0) return secret;
  const [begun] = await db
    .select()
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt)));
  if (!begun) throw new Refusal("identity/set-up-again");
  return openSecret(auth, userId, begun);
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
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<void> {
  const [begun] = await tx
    .select()
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt)))
    .for("update");
  if (!begun) throw new Refusal("identity/set-up-again");
  const secret = openSecret(auth, userId, begun);
  const step = matchTotp(secret, code.replace(/\s/g, ""), now);
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
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<{ qrCode: string; secret: string }> {
  const secret = await beginTotp(db, auth, { userId, now });
  const svg = renderSVG(totpUri(secret, { siteName: config.siteName, email }), { border: 2 });
  const groups = toBase32(secret).match(/.{1,4}/g) ?? [];
  return { qrCode: `data:image/svg+xml,${encodeURIComponent(svg)}`, secret: groups.join(" ") };
}
