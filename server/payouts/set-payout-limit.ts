import { toDecimal } from "#core/money.ts";
import { sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { getPayoutLimit } from "./get-payout-limit.ts";
import { refusals } from "./refusals.ts";

/**
 * Says above what amount a payout needs two people. What waits already still does.
 *
 * @throws Refusal `payouts/implausible-limit`, and as `actAsOperator` does
 */
export function setPayoutLimit(
  db: Db,
  operator: ActingOperator,
  secondPersonAboveSats: bigint,
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const before = await getPayoutLimit(tx);
      if (before === secondPersonAboveSats) return;
      const act = {
        act: "payouts/set-limit" as const,
        subject: "payouts",
        detail: {
          btc: toDecimal(secondPersonAboveSats, "BTC"),
          before: toDecimal(before, "BTC"),
        },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.execute(sql`
          insert into payout_limits (second_person_above_sats, created_at, action_id)
          values (${secondPersonAboveSats}, ${now.toISOString()}, ${actionId})`),
      );
    }),
  );
}
