import { and, desc, eq, isNull } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { withdrawalAddresses } from "./schema.ts";

const a = withdrawalAddresses;

/** A customer's address book, the newest first. */
export function listAddresses(db: Db, customerId: string) {
  return db
    .select({
      addressId: a.id,
      asset: a.asset,
      address: a.address,
      label: a.label,
      addedAt: a.addedAt,
      usableFrom: a.usableFrom,
    })
    .from(a)
    .where(and(eq(a.customerId, customerId), isNull(a.removedAt)))
    .orderBy(desc(a.addedAt), desc(a.id));
}
