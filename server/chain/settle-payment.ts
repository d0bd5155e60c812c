import { eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { chainPayments } from "./schema.ts";

/** Takes a payment for whoever settles it: nobody else does, and no block moves it, until the transaction ends. */
export async function lockPayment(tx: Tx, paymentId: string) {
  const [payment] = await tx
    .select()
    .from(chainPayments)
    .where(eq(chainPayments.id, paymentId))
    .for("update");
  return payment ?? null;
}
export type LockedPayment = NonNullable<Awaited<ReturnType<typeof lockPayment>>>;

/** Marks a payment as counted in the journal, or, with null, as counted no more. */
export async function markSettled(tx: Tx, paymentId: string, at: Date | null): Promise<void> {
  await tx.update(chainPayments).set({ settledAt: at }).where(eq(chainPayments.id, paymentId));
}
