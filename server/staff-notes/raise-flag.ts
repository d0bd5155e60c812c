import { randomUUIDv7 } from "node:crypto";
import { type FlagKind, flagDays } from "#core/people/customer-flags.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { refusals } from "./refusals.ts";
import { requireCustomerHere } from "./require-customer-here.ts";
import { customerFlags } from "./schema.ts";

/**
 * Asks colleagues to mind something about a customer until a day, with the reason. Of each kind one stands at a time.
 *
 * Refuses with staff-notes/words-missing, staff-notes/too-long, staff-notes/not-a-span, staff-notes/flag-stands,
 * staff-notes/no-such-customer, and as `actAsOperator` does.
 */
export async function raiseFlag(
  db: Db,
  operator: ActingOperator,
  flag: { customerId: string; kind: FlagKind; reason: string; days: number },
  now: Date,
): Promise<void> {
  const { customerId, kind, days } = flag;
  const reason = flag.reason.replaceAll("\0", "").trim();
  if (reason === "") throw new Refusal("staff-notes/words-missing");
  if (reason.length > 1000) throw new Refusal("staff-notes/too-long");
  if (!flagDays.some((known) => known === days)) throw new Refusal("staff-notes/not-a-span");
  await requireCustomerHere(db, customerId);
  const endsAt = new Date(now.getTime() + days * 86_400_000);
  const subject = `customer:${customerId}`;
  const detail = { flag: kind, until: endsAt.toISOString() };
  const act = { act: "staff-notes/raise-flag" as const, subject, customerId, detail, now };
  await refusedBy(refusals, () =>
    actAsOperator(db, operator, act, (tx, auditId) =>
      tx.insert(customerFlags).values({
        id: randomUUIDv7(),
        customerId,
        kind,
        reason,
        endsAt,
        raisedBy: operator.id,
        raisedByAct: auditId,
        raisedAt: now,
      }),
    ),
  );
}
