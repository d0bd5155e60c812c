import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { importStatement } from "#server/payouts/import-statement.ts";
import { reviewStatement } from "#server/payouts/review-statement.ts";
import type { Db } from "#server/platform/database.ts";
import { refuseCreditedDay } from "./refuse-credited-day.ts";

/**
 * Records a kept file, unless it has a payout for a day that is credited already.
 *
 * @throws Refusal `payouts/day-credited`, and as `importStatement` does
 */
export async function importStatementAsOperator(
  db: Db,
  operator: ActingOperator,
  statementId: string,
  now: Date,
): ReturnType<typeof importStatement> {
  const { lines } = await reviewStatement(db, statementId, now, operator.id);
  for (const { said, outcome } of lines) {
    if (said && outcome.does === "record") await refuseCreditedDay(db, said.day);
  }
  return importStatement(db, operator, statementId, now);
}
