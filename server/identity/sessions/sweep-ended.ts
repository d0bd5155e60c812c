import { lt, not, or } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { runEach } from "../../platform/jobs/run-each.ts";
import { sweepAttempts } from "../../platform/rate-limit.ts";
import { isOpen } from "../account/is-open.ts";
import {
  emailChanges,
  freezeLinks,
  mailedLinks,
  passkeyChallenges,
  pendingMfaSessions,
  sessions,
} from "../schema.ts";

/** How long a dead link can still say on its page what became of it. */
const keepLinksDays = 30;

/** Deletes what has ended: sessions, also pending ones, old links and changes of address, questions to authenticators, counts of attempts. */
export async function sweepEnded(db: Db, now: Date): Promise<void> {
  const linksBefore = new Date(now.getTime() - keepLinksDays * 86_400_000);
  // For a day it can still be said of a session that nobody used it.
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const sweeps = [
    () => db.delete(sessions).where(or(lt(sessions.expiresAt, now), not(isOpen(dayAgo)))),
    () => db.delete(pendingMfaSessions).where(lt(pendingMfaSessions.expiresAt, now)),
    () => db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now)),
    () => db.delete(freezeLinks).where(lt(freezeLinks.expiresAt, linksBefore)),
    () => db.delete(mailedLinks).where(lt(mailedLinks.expiresAt, linksBefore)),
    () => db.delete(emailChanges).where(lt(emailChanges.expiresAt, linksBefore)),
    () => sweepAttempts(db, now),
  ];
  await runEach(sweeps, (sweep) => sweep());
}
