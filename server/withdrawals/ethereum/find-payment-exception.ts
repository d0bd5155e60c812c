import { and, desc, eq, isNotNull } from "#server/platform/sql.ts";
import { alias } from "#server/platform/tables.ts";
import { users } from "../../identity/schema.ts";
import type { Db } from "../../platform/database.ts";
import { withdrawalPayments, withdrawalResolutions } from "../schema.ts";

const p = withdrawalPayments;

/** What is odd about a withdrawal's payment, and what people said of it, the newest first; null: nothing ever was. */
export async function findPaymentException(db: Db, withdrawalId: string) {
  const [payment] = await db
    .select({ fault: p.fault, txid: p.minedTxid, endedAt: p.endedAt })
    .from(p)
    .where(and(eq(p.withdrawalId, withdrawalId), isNotNull(p.fault)));
  if (!payment) return null;
  const r = withdrawalResolutions;
  const deciders = alias(users, "deciders");
  const resolutions = await db
    .select({
      id: r.id,
      txid: r.txid,
      says: r.says,
      reason: r.reason,
      state: r.state,
      proposedBy: r.proposedBy,
      proposerName: users.name,
      proposedAt: r.proposedAt,
      deciderName: deciders.name,
      decidedAt: r.decidedAt,
    })
    .from(r)
    .innerJoin(users, eq(users.id, r.proposedBy))
    .leftJoin(deciders, eq(deciders.id, r.decidedBy))
    .where(eq(r.withdrawalId, withdrawalId))
    .orderBy(desc(r.proposedAt), desc(r.id));
  return { ...payment, resolutions };
}

export type PaymentException = NonNullable<Awaited<ReturnType<typeof findPaymentException>>>;
