import { isUuid } from "#core/is-uuid.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db } from "../platform/database.ts";
import { withdrawalAddresses } from "./schema.ts";

/**
 * Takes an address out of a customer's book. What was asked for already still goes there; whoever adds it again waits for
 * its cool-down again. Doing it twice is doing it once.
 */
export async function removeAddress(
  db: Db,
  removed: { customerId: string; addressId: string; browser: Browser },
  now: Date,
): Promise<void> {
  const { customerId, addressId, browser } = removed;
  if (!isUuid(addressId)) return;
  const a = withdrawalAddresses;
  await db.transaction(async (tx) => {
    const [gone] = await tx
      .update(a)
      .set({ removedAt: now })
      .where(and(eq(a.id, addressId), eq(a.customerId, customerId), isNull(a.removedAt)))
      .returning({ address: a.address });
    if (!gone) return;
    await recordAccountEvent(tx, {
      userId: customerId,
      event: "withdrawal-address-removed",
      by: "self" as const,
      now,
      detail: { address: gone.address },
      ...browser,
    });
  });
}
