import type { Permission } from "#core/permissions.ts";
import { Refusal } from "#core/refusal.ts";
import { eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { actAsOperator } from "../audit/act-as-operator.ts";
import { customers } from "../schema.ts";
import type { ActingOperator } from "../staff/operator.ts";
import { refusals } from "./refusals.ts";

/**
 * Does something to a customer's account as staff, with a reason that the customer reads.
 *
 * @throws Refusal `identity/no-such-customer`, `identity/reason-names-address`, and as `actAsOperator` does
 */
export async function actOnAccount(
  db: Db,
  operator: ActingOperator,
  about: { act: Permission; customerId: string; reason: string; now: Date },
  run: (tx: Tx, auditId: string) => Promise<void>,
): Promise<void> {
  const { act, customerId, reason, now } = about;
  const found = await db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.id, customerId));
  if (found.length === 0) throw new Refusal("identity/no-such-customer");
  const subject = `customer:${customerId}`;
  const staffAct = { act, subject, customerId, detail: { reason }, now };
  await refusedBy(refusals, () => actAsOperator(db, operator, staffAct, run));
}
