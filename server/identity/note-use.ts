import { and, eq, lt } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { sessions } from "./schema.ts";
import type { Session } from "./signed-in-user.ts";

/** Often enough for ends that are counted in minutes, and seldom enough to cost nothing. */
const noteEveryMs = 60_000;

/** The queue reads itself again while its page is open: that nobody uses it must not be hidden by that. */
const readsItself = /^\/operator(?:\/_)?\.data$/;

/** Notes that somebody uses a session, which ends when nobody does. */
export async function noteUse(
  { db, now }: { db: Db; now(): Date },
  request: Request,
  { id, lastUsedAt }: Session,
): Promise<void> {
  const at = now();
  if (at.getTime() - lastUsedAt.getTime() < noteEveryMs) return;
  if (request.method === "GET" && readsItself.test(new URL(request.url).pathname)) return;
  await db
    .update(sessions)
    .set({ lastUsedAt: at })
    .where(and(eq(sessions.id, id), lt(sessions.lastUsedAt, at)));
}
