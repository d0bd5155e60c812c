import { and, eq } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { kycSubmissions } from "./schema.ts";

/** Ends a customer's approval, if there is one. */
export async function expireApproval(tx: Tx, customerId: string, now: Date): Promise<void> {
  await tx
    .update(kycSubmissions)
    .set({ state: "expired", expiredAt: now })
    .where(and(eq(kycSubmissions.customerId, customerId), eq(kycSubmissions.state, "approved")));
}
