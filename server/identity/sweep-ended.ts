import { lt } from "drizzle-orm";
import type { Db } from "../platform/database.ts";
import { sweepAttempts } from "../platform/rate-limit.ts";
import { emailChanges, mailedLinks, sessions } from "./schema.ts";

/** How long a dead link can still say on its page what became of it. */
const keepLinksDays = 30;

/** Deletes what has ended: sessions, old links and changes of address, counts of attempts. */
export async function sweepEnded(db: Db, now: Date): Promise<void> {
  const linksBefore = new Date(now.getTime() - keepLinksDays * 86_400_000);
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
  await db.delete(mailedLinks).where(lt(mailedLinks.expiresAt, linksBefore));
  await db.delete(emailChanges).where(lt(emailChanges.expiresAt, linksBefore));
  await sweepAttempts(db, now);
}
