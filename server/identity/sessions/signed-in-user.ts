import { data } from "react-router";
import { and, eq, sql } from "#server/platform/sql.ts";
import { prepared } from "../../platform/database/prepared.ts";
import type { Db } from "../../platform/database.ts";
import { isOpen } from "../account/is-open.ts";
import { hashToken } from "../registration/issue-link.ts";
import { sessions, users } from "../schema.ts";
import { noteOpened } from "../step-up/opened-lately.ts";
import type { Proof } from "../step-up/proof.ts";
import type { Auth } from "./auth.ts";
import { readToken } from "./session-cookie.ts";

export interface SignedInUser {
  id: string;
  kind: "customer" | "operator";
}

/** The session that a request came with. */
export interface Session {
  id: string;
  lastUsedAt: Date;
  /** How its owner last authenticated, and when. */
  provedBy: Proof;
  provedAt: Date;
}

/** Who sent the request, going by its session cookie, or null. */
export async function findSignedInUser(
  { auth, db }: { auth: Auth; db: Db },
  request: Request,
): Promise<(SignedInUser & { session: Session }) | null> {
  const token = readToken(auth, "session_token", request.headers.get("cookie") ?? "");
  if (!token) return null;
  const hash = hashToken(token);
  const [found] = await selectSession(db, { hash });
  noteOpened(hash, found !== undefined);
  return found ?? null;
}

const selectSession = prepared((db) =>
  db
    .select({
      id: users.id,
      kind: users.kind,
      session: {
        id: sessions.id,
        provedBy: sessions.provedBy,
        provedAt: sessions.provedAt,
        lastUsedAt: sessions.lastUsedAt,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenSha256, sql.placeholder("hash")), isOpen(sql`now()`)))
    .prepare("identity_session"),
);

/** The same answer as for a page that does not exist: nothing is said about what stands behind it. */
export function turnAway() {
  return data(null, { status: 404, statusText: "Not Found" });
}
