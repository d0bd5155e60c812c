import type { DocumentPurpose } from "#core/people/kyc.ts";
import { and, eq, inArray, isNotNull, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { kycDocuments } from "./schema.ts";

/** Lets a customer's current documents of these purposes no longer count. The sweep deletes them in time. */
export async function replaceDocuments(
  tx: Tx,
  customerId: string,
  purposes: DocumentPurpose[],
  now: Date,
): Promise<void> {
  await tx
    .update(kycDocuments)
    .set({ replacedAt: now })
    .where(
      and(
        eq(kycDocuments.customerId, customerId),
        inArray(kycDocuments.purpose, purposes),
        isNotNull(kycDocuments.storedAt),
        isNull(kycDocuments.replacedAt),
        isNull(kycDocuments.erasingAt),
      ),
    );
}
