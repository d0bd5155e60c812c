import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockThread } from "./lock-thread.ts";
import { refusals } from "./refusals.ts";
import { contactThreads } from "./schema.ts";
import type { ThreadState } from "./thread.ts";

const acts = {
  closed: "contact/close",
  spam: "contact/mark-as-spam",
  open: "contact/reopen",
} as const satisfies Partial<Record<ThreadState, string>>;

/** Where staff move a thread without answering it. */
export type Destination = keyof typeof acts;

/**
 * Closes a thread that needs no answer, marks a stranger's as spam that nobody answered, or puts it back among those that wait. Moving it
 * where it stands already does nothing.
 *
 * @throws Refusal `contact/no-such-thread`, `contact/thread-changed`, `contact/is-no-spam`
 */
export async function moveThread(
  db: Db,
  operator: ActingOperator,
  move: { threadId: string; seen: number; to: Destination },
  now: Date,
): Promise<void> {
  const { threadId, seen, to } = move;
  await refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const thread = await lockThread(tx, threadId);
      if (thread.state === to) return;
      if (thread.revision !== seen) throw new Refusal("contact/thread-changed");
      const act = {
        act: acts[to],
        subject: `message:${threadId}`,
        ...(thread.customerId && { customerId: thread.customerId }),
        detail: { reference: thread.reference, before: thread.state },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, auditId) =>
        inner
          .update(contactThreads)
          .set({
            state: to,
            lastAt: now,
            revision: sql`${contactThreads.revision} + 1`,
            changedByAct: auditId,
            // A person after all: from now on it is a thread as any other.
            ...(to === "open" && { isSuspected: false }),
          })
          .where(eq(contactThreads.id, threadId)),
      );
    }),
  );
}
