import { isUuid } from "#core/is-uuid.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { deposits } from "./schema.ts";
import { asDeposit, type Deposit, selectDeposits } from "./select-deposits.ts";

const d = deposits;

/** One deposit of a customer; null when it is not his. */
export async function findDeposit(
  db: Db | Tx,
  customerId: string,
  depositId: string,
): Promise<Deposit | null> {
  if (!isUuid(depositId)) return null;
  const [row] = await selectDeposits(db, and(eq(d.customerId, customerId), eq(d.id, depositId)));
  return row ? asDeposit(row) : null;
}
