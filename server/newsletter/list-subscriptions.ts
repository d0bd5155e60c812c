import { keyset } from "#server/platform/keyset.ts";
import { and, asc, eq, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { newsletterSubscriptions } from "./schema.ts";
import type { EndedBy, SubscriptionState } from "./subscription.ts";

const s = newsletterSubscriptions;
const newestFirst = keyset("desc", s.askedAt, s.id);

export interface ListedSubscription {
  subscriptionId: string;
  /** Null: forgotten by rule. */
  email: string | null;
  state: SubscriptionState;
  askedAt: Date;
  source: string;
  textVersion: number;
  confirmedAt: Date | null;
  endedAt: Date | null;
  endedBy: EndedBy | null;
}

/** Subscriptions, the newest wish first. `after` is the id of the last one seen. */
export async function listSubscriptions(
  db: Db | Tx,
  wanted: { state: SubscriptionState; search?: string; after?: string | undefined; limit: number },
): Promise<ListedSubscription[]> {
  const { state, search, after, limit } = wanted;
  return db
    .select({
      subscriptionId: s.id,
      email: s.email,
      state: s.state,
      askedAt: s.askedAt,
      source: s.source,
      textVersion: s.textVersion,
      confirmedAt: s.confirmedAt,
      endedAt: s.endedAt,
      endedBy: s.endedBy,
    })
    .from(s)
    .where(
      and(
        eq(s.state, state),
        search ? sql`strpos(${s.email}, ${search.toLowerCase()}) > 0` : undefined,
        newestFirst.beyond(after),
      ),
    )
    .orderBy(...newestFirst.by)
    .limit(limit);
}

/** Those who want issues, the first one first, each with the token that ends the subscription and does nothing else. */
export function listConfirmed(db: Db | Tx, limit: number) {
  return db
    .select({
      email: s.email,
      askedAt: s.askedAt,
      source: s.source,
      textVersion: s.textVersion,
      confirmedAt: s.confirmedAt,
      leavingToken: s.leavingToken,
    })
    .from(s)
    .where(eq(s.state, "confirmed"))
    .orderBy(asc(s.askedAt), asc(s.id))
    .limit(limit);
}
