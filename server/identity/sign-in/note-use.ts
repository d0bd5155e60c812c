import { and, eq, lt, sql } from "#server/platform/sql.ts";
import { isDatabaseOutage } from "../../platform/database/database-failure.ts";
import type { Db } from "../../platform/database.ts";
import { sessions } from "../schema.ts";
import type { Session } from "../sessions/signed-in-user.ts";

/** Often enough for ends that are counted in minutes, and seldom enough to cost nothing. */
const noteEveryMs = 60_000;

/** Asked for again and again beside the page of deposits, and by nobody otherwise. */
const readBeside = "/account/deposit/payments.data";

/**
 * Notes that somebody uses a session, which ends when nobody does. It waits neither for the disk nor for a standby, and a database that
 * takes no writes has its pages read all the same. Then use is not noted until it does.
 */
export async function noteUse(
  { db, now }: { db: Db; now(): Date },
  request: Request,
  { id, lastUsedAt }: Session,
): Promise<void> {
  const at = now();
  if (at.getTime() - lastUsedAt.getTime() < noteEveryMs) return;
  if (isReadingItself(request)) return;
  const isUnwaited = sql`set_config('synchronous_commit', 'off', true) = 'off'`;
  await db
    .update(sessions)
    .set({ lastUsedAt: at })
    .where(and(eq(sessions.id, id), lt(sessions.lastUsedAt, at), isUnwaited))
    .catch((error: unknown) => {
      if (!isDatabaseOutage(error)) throw error;
    });
}

/**
 * Whether a page reads itself again while it is open: that nobody uses it must not be hidden by that. Then its data are asked for
 * from its own address; who goes to a page asks from another. A browser that does not say from where may be doing either.
 */
function isReadingItself({ method, url, headers }: Request): boolean {
  const asked = new URL(url);
  if (method !== "GET" || !asked.pathname.endsWith(".data")) return false;
  const from = headers.get("referer") ?? "";
  if (asked.pathname === readBeside || !URL.canParse(from)) return true;
  return addressOf(asked) === addressOf(new URL(from));
}

/** As the browser shows it: a page's data are at `/page.data`, or at `/page/_.data`. */
function addressOf({ pathname, searchParams }: URL): string {
  const shown = new URLSearchParams(searchParams);
  shown.delete("_routes");
  return `${pathname.replace(/(?:\/_)?\.data$/, "").replace(/\/$/, "")}?${shown}`;
}
