import { isUuid } from "#core/is-uuid.ts";
import { and, eq, isNotNull, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { depositSlips } from "../schema.ts";
import type { DraftSlip } from "./keep-slip.ts";

const s = depositSlips;

/** A slip that this customer uploaded and has not used yet; null when there is none, or it is given up. */
export async function findDraftSlip(
  db: Db | Tx,
  customerId: string,
  slipId: string,
): Promise<DraftSlip | null> {
  if (!isUuid(slipId)) return null;
  const [slip] = await db
    .select({
      slipId: s.id,
      name: s.originalName,
      mediaType: s.mediaType,
      byteSize: s.byteSize,
    })
    .from(s)
    .where(
      and(
        eq(s.id, slipId),
        eq(s.customerId, customerId),
        isNotNull(s.storedAt),
        isNull(s.submittedAt),
        isNull(s.discardedAt),
      ),
    );
  return slip ?? null;
}
