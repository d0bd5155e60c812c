import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { sentBefore } from "../platform/sent-before.ts";
import { requireCustomerHere } from "./require-customer-here.ts";
import { staffNotes } from "./schema.ts";

/**
 * Writes a note about a customer for colleagues, for good. The audit log keeps that it was written, never the words:
 * these go with the account.
 * The same id again is the same note.
 *
 * Refuses with staff-notes/words-missing, staff-notes/too-long, staff-notes/no-such-customer, platform/sent-otherwise, and as
 * `actAsOperator` does.
 */
export async function writeNote(
  db: Db,
  operator: ActingOperator,
  note: { noteId: string; customerId: string; body: string },
  now: Date,
): Promise<void> {
  const { noteId: id, customerId } = note;
  const body = note.body.replaceAll("\0", "").trim();
  if (body === "") throw new Refusal("staff-notes/words-missing");
  if (body.length > 4000) throw new Refusal("staff-notes/too-long");
  await requireCustomerHere(db, customerId);
  const subject = `customer:${customerId}`;
  const act = { act: "staff-notes/write-note" as const, subject, customerId, detail: {}, now };
  const written = { id, customerId, body, writtenBy: operator.id };
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended('staff-notes.note:' || ${id}, 0))`,
    );
    const [sent] = await tx.select().from(staffNotes).where(eq(staffNotes.id, id));
    if (sentBefore(sent, written)) return;
    await actAsOperator(tx, operator, act, (inner, writtenByAct) =>
      inner.insert(staffNotes).values({ ...written, writtenByAct, writtenAt: now }),
    );
  });
}
