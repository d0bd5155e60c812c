import { and, eq, isNull, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { contracts } from "./schema.ts";

const c = contracts;

/** Whether a customer ever bought one: what comes first can be given back. */
export async function hasBought(db: Db | Tx, customerId: string): Promise<boolean> {
  const earlier = await db
    .select({ id: c.id })
    .from(c)
    .where(eq(c.customerId, customerId))
    .limit(1);
  return earlier.length > 0;
}

/** What a customer paid, in cents, for the contracts that have not ended. */
export async function sumRunning(db: Db | Tx, customerId: string): Promise<bigint> {
  const [row] = await db
    .select({ usdCents: sql<string>`coalesce(sum(${c.usdCents}), 0)` })
    .from(c)
    .where(and(eq(c.customerId, customerId), isNull(c.lastDay)));
  return BigInt(row?.usdCents ?? 0);
}
