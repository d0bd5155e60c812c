import { and, asc, eq, gt, isNull, lt } from "#server/platform/sql.ts";
import { customers } from "../../identity/schema.ts";
import type { Db } from "../../platform/database.ts";
import { depositSlips } from "../schema.ts";

/** Slips whose customers were erased before a moment, and whose files are still there. */
export async function listSlipsOfTheErased(
  db: Db,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<Array<{ id: string; fileKey: string }>> {
  return db
    .select({ id: depositSlips.id, fileKey: depositSlips.fileKey })
    .from(depositSlips)
    .innerJoin(customers, eq(customers.id, depositSlips.customerId))
    .where(
      and(
        lt(customers.erasedAt, before),
        isNull(depositSlips.erasedAt),
        gt(depositSlips.id, after),
      ),
    )
    .orderBy(asc(depositSlips.id))
    .limit(limit);
}
