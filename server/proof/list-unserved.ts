import { coins } from "#core/asset.ts";
import { oneOf, readRows, text, units } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** What of each contract's price a customer is still owed mining for, the largest first, at most 100: the parts of the sum that is proved. */
export function listUnserved(db: Db, customerId: string) {
  return readRows(
    db,
    sql`select s.contract_id as id, v.name as plan, s.coin, s.units::text, c.units::text as price
          from unserved_shares() s join contracts c on c.id = s.contract_id join plan_versions v on v.id = c.plan_version_id
         where s.customer_id = ${customerId} and s.units > 0 order by s.coin, s.units desc, s.contract_id limit 100`,
    { id: text, plan: text, coin: oneOf(coins), units, price: units },
  );
}
