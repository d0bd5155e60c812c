import { isUuid } from "#core/is-uuid.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, type SQL } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import type { Withdrawal } from "./give-back.ts";
import { withdrawals } from "./schema.ts";

/**
 * Takes a withdrawal, so that one thing happens to it at a time. `whose` narrows it to one customer's.
 *
 * @throws Refusal `withdrawals/not-found`
 */
export async function lockWithdrawal(
  tx: Tx,
  withdrawalId: string,
  whose?: SQL,
): Promise<Withdrawal> {
  const [found] = isUuid(withdrawalId)
    ? await tx
        .select()
        .from(withdrawals)
        .where(and(eq(withdrawals.id, withdrawalId), whose))
        .for("update")
    : [];
  if (!found) throw new Refusal("withdrawals/not-found");
  return found;
}
