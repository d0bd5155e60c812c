import { randomUUIDv7 } from "node:crypto";
import type { PoolFormat } from "#core/mining/pool-formats.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { refusals } from "./refusals.ts";
import { pools } from "./schema.ts";

/**
 * Adds a pool: from `countsFrom` on, a day is complete only with a payout of it. The same pool again is the one there is.
 *
 * @throws Refusal `payouts/pool-name-taken`, `payouts/pool-unnamed`, and as `actAsOperator` does
 */
export function addPool(
  db: Db,
  operator: ActingOperator,
  wanted: { name: string; format: PoolFormat; countsFrom: string },
  now: Date,
): Promise<{ poolId: string }> {
  const pool = { ...wanted, name: wanted.name.trim() };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const [twin] = await tx.select().from(pools).where(eq(pools.name, pool.name));
      const isSame = twin?.format === pool.format && twin.countsFrom === pool.countsFrom;
      if (twin && isSame) return { poolId: twin.id };
      if (twin) throw new Refusal("payouts/pool-name-taken");
      const poolId = randomUUIDv7();
      const act = {
        act: "payouts/add-pool" as const,
        subject: `pool:${poolId}`,
        detail: pool,
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.insert(pools).values({ id: poolId, ...pool, createdAt: now, actionId }),
      );
      return { poolId };
    }),
  );
}
