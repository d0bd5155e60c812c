import { and, asc, eq, gt, isNull, ne, or } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { totpSecrets } from "../schema.ts";
import type { Auth } from "../sessions/auth.ts";
import { currentKeyName, openSecret, sealSecret } from "./seal-secret.ts";

const batch = 100;

/**
 * Seals every secret of an authenticator app with the key of the current AUTH_SECRET; each app goes on as before. May be run
 * while the product runs, which does the same for whoever shows a code, and again after it was stopped half-way.
 *
 * @returns how many were sealed anew, and whose cannot be opened: they stay as they are.
 */
export async function resealSecrets(
  db: Db,
  auth: Auth,
): Promise<{ resealed: number; unreadable: string[] }> {
  const done = { resealed: 0, unreadable: [] as string[] };
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const last = await db.transaction((tx) => resealBatch(tx, auth, after, done));
    if (last === undefined) return done;
    after = last;
  }
}

async function resealBatch(
  tx: Tx,
  auth: Auth,
  after: string,
  done: { resealed: number; unreadable: string[] },
): Promise<string | undefined> {
  const isOld = or(isNull(totpSecrets.keyName), ne(totpSecrets.keyName, currentKeyName(auth)));
  const apps = await tx
    .select()
    .from(totpSecrets)
    .where(and(isOld, gt(totpSecrets.id, after)))
    .orderBy(asc(totpSecrets.id))
    .limit(batch)
    .for("update");
  for (const app of apps) {
    const anew = resealOne(auth, app);
    if (!anew) done.unreadable.push(app.userId);
    else {
      await tx.update(totpSecrets).set(anew).where(eq(totpSecrets.id, app.id));
      done.resealed += 1;
    }
  }
  return apps.at(-1)?.id;
}

/** Null when neither secret opens it: what it was cannot be known any more. */
function resealOne(auth: Auth, app: typeof totpSecrets.$inferSelect) {
  try {
    return sealSecret(auth, app.userId, openSecret(auth, app.userId, app));
  } catch {
    return null;
  }
}
