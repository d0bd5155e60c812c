import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { retryCustomersLater } from "#server/mining/days/retry-customers.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** Has all mining work that failed for a customer tried again at once, and writes down who asked for it. */
export function retryCustomerAsOperator(
  db: Db,
  operator: ActingOperator,
  { customerId, now }: { customerId: string; now: Date },
): Promise<void> {
  const retry = {
    act: "mining/retry-customer" as const,
    subject: `customer:${customerId}`,
    detail: {},
    now,
  };
  return actAsOperator(db, operator, retry, async (tx, actionId) => {
    await tx.execute(
      sql`select mining_retry_now(${customerId}::uuid, ${actionId}::uuid, ${now.toISOString()}::timestamptz)`,
    );
    await retryCustomersLater(tx);
  });
}
