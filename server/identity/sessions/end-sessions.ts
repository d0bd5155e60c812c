import { and, eq, ne } from "#server/platform/sql.ts";
import type { Db } from "../../platform/database.ts";
import { recordAccountEvent } from "../account/account-events.ts";
import type { Actor } from "../audit/actor.ts";
import { sessions } from "../schema.ts";

/** Signs a user out of one other session, or of all but this one, and records it if there was any. */
export async function endSessions(
  db: Db,
  actor: Actor,
  which: { sessionId: string } | "all others",
): Promise<void> {
  const { userId, clientAddress, userAgent, now } = actor;
  const one = which === "all others" ? undefined : eq(sessions.id, which.sessionId);
  await db.transaction(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.userId, userId), ne(sessions.id, actor.sessionId), one))
      .returning({ id: sessions.id });
    if (ended.length === 0) return;
    const event = { userId, event: "signed-out-elsewhere", by: "self" } as const;
    const detail = { sessions: ended.length };
    await recordAccountEvent(tx, { ...event, detail, ipAddress: clientAddress, userAgent, now });
  });
}
