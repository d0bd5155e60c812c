import { formatAmount } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { findStatement } from "./find-statement.ts";
import { insertPayout } from "./insert-payout.ts";
import { lockPool } from "./lock-pool.ts";
import { refusals } from "./refusals.ts";
import { reviewStatement } from "./review-statement.ts";

/**
 * Records what a kept file says of days that nothing is recorded for: all of them, or none. Nothing is recorded twice;
 * what differs from what is recorded is left for a correction. Importing again changes nothing.
 *
 * @throws Refusal `payouts/no-such-statement`, `payouts/not-a-file`, those of `refusals.ts`, and as `actAsOperator` does
 */
export function importStatement(
  db: Db,
  operator: ActingOperator,
  statementId: string,
  now: Date,
): Promise<{ recorded: number; waiting: number }> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const statement = await findStatement(tx, statementId);
      if (!statement) throw new Refusal("payouts/no-such-statement");
      const { poolId } = statement;
      await lockPool(tx, poolId);
      const { lines } = await reviewStatement(tx, statementId, now, operator.id);
      const wanted = lines.flatMap(({ said, outcome }) =>
        said && outcome.does === "record" ? said : [],
      );
      const alone = lines.some(({ outcome }) => outcome.does === "record" && !outcome.secondPerson);
      if (wanted.length === 0) return { recorded: 0, waiting: 0 };
      const sum = wanted.reduce((total, { units }) => total + units, 0n);
      const days = wanted.map(({ day }) => day).sort();
      const act = {
        act: "payouts/import" as const,
        subject: `statement:${statementId}`,
        detail: {
          payouts: wanted.length,
          btc: formatAmount(sum, "BTC"),
          from: days.at(0) ?? null,
          until: days.at(-1) ?? null,
          alone,
        },
        now,
      };
      return actAsOperator(tx, operator, act, async (inner, actionId) => {
        let waiting = 0;
        for (const said of wanted) {
          const payout = { ...said, poolId, statementId, actionId, by: operator.id };
          const { state } = await insertPayout(inner, payout, now);
          if (state === "proposed") waiting += 1;
        }
        return { recorded: wanted.length - waiting, waiting };
      });
    }),
  );
}
