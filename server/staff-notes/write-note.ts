import { randomUUIDv7 } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { requireCustomerHere } from "./require-customer-here.ts";
import { staffNotes } from "./schema.ts";

/**
 * Writes a note about a customer for colleagues, for good. The audit log keeps that it was written, never the words:
 * these go with the account.
 *
 * Refuses with staff-notes/words-missing, staff-notes/too-long, staff-notes/no-such-customer, and as `actAsOperator` does.
 */
export async function writeNote(
  db: Db,
  operator: ActingOperator,
  note: { customerId: string; body: string },
  now: Date,
): Promise<void> {
  const { customerId } = note;
  const body = note.body.replaceAll("\0", "").trim();
  if (body === "") throw new Refusal("staff-notes/words-missing");
  if (body.length > 4000) throw new Refusal("staff-notes/too-long");
  await requireCustomerHere(db, customerId);
  const subject = `customer:${customerId}`;
  const act = { act: "staff-notes/write-note" as const, subject, customerId, detail: {}, now };
  await actAsOperator(db, operator, act, (tx, auditId) =>
    tx.insert(staffNotes).values({
      id: randomUUIDv7(),
      customerId,
      body,
      writtenBy: operator.id,
      writtenByAct: auditId,
      writtenAt: now,
    }),
  );
}
