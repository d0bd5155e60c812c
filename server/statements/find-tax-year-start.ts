import type { TaxYearStart } from "#core/payments/statement-period.ts";
import { and, desc, eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { issuedStatements } from "./schema.ts";

/** Where the customer let his tax year begin when he last printed one; null when he never did. */
export async function findTaxYearStart(db: Db, customerId: string): Promise<TaxYearStart | null> {
  const s = issuedStatements;
  const [last] = await db
    .select({ fromDay: s.fromDay })
    .from(s)
    .where(and(eq(s.customerId, customerId), eq(s.period, "tax-year")))
    .orderBy(desc(s.issuedAt))
    .limit(1);
  if (!last) return null;
  return { month: Number(last.fromDay.slice(5, 7)), day: Number(last.fromDay.slice(8)) };
}
