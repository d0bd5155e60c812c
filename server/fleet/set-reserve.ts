import { writeDecimal } from "#core/decimal.ts";
import { sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { getSalesBounds } from "./get-sales-bounds.ts";
import { lockFleet } from "./lock-fleet.ts";
import { refusals } from "./refusals.ts";

/**
 * Says how much of the fleet is never sold, so that what downtime owes can be delivered. Running contracts keep theirs.
 *
 * @throws Refusal `fleet/implausible-reserve`, and as `actAsOperator` does
 */
export function setReserve(
  db: Db,
  operator: ActingOperator,
  reservePpm: number,
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const { reservePpm: before } = await getSalesBounds(tx);
      if (before === reservePpm) return;
      const act = {
        act: "fleet/set-reserve" as const,
        subject: "fleet",
        detail: {
          percent: writeDecimal(BigInt(reservePpm), 4),
          before: writeDecimal(BigInt(before), 4),
        },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.execute(sql`
          insert into fleet_reserves (reserve_ppm, created_at, action_id)
          values (${reservePpm}, ${now.toISOString()}, ${actionId})`),
      );
    }),
  );
}
