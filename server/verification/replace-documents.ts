import type { DocumentPurpose } from "#core/people/verification.ts";
import { and, eq, inArray, isNotNull, isNull } from "#server/platform/sql.ts";
import type { Tx } from "../platform/database.ts";
import { verificationDocuments } from "./schema.ts";

/** Lets a customer's current documents of these purposes no longer count. The sweep deletes them in time. */
export async function replaceDocuments(
  tx: Tx,
  customerId: string,
  purposes: DocumentPurpose[],
  now: Date,
): Promise<void> {
  await tx
    .update(verificationDocuments)
    .set({ replacedAt: now })
    .where(
      and(
        eq(verificationDocuments.customerId, customerId),
        inArray(verificationDocuments.purpose, purposes),
        isNotNull(verificationDocuments.storedAt),
        isNull(verificationDocuments.replacedAt),
        isNull(verificationDocuments.erasingAt),
      ),
    );
}
