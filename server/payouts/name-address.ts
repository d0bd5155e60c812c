import { Refusal } from "#core/refusal.ts";
import type { WalletKey } from "#core/wallet/wallet-key.ts";
import { eq } from "#server/platform/sql.ts";
import { findPlace } from "../chain/wallets/find-place.ts";
import { isDerived } from "../chain/wallets/foreign-address.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockPool } from "./lock-pool.ts";
import { refusals } from "./refusals.ts";
import { poolAddresses } from "./schema.ts";

/**
 * Says for good at which address of the operator's own a pool pays. The same address again changes nothing.
 *
 * @throws Refusal `payouts/address-is-used`, `payouts/address-of-another-wallet`, `payouts/pool-stopped-already`,
 * `payouts/no-such-pool`, and as `actAsOperator` does
 */
export function nameAddress(
  db: Db,
  operator: ActingOperator,
  { poolId, address, key }: { poolId: string; address: string; key: WalletKey },
  now: Date,
): Promise<void> {
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockPool(tx, poolId);
      const named = await tx
        .select({ poolId: poolAddresses.poolId })
        .from(poolAddresses)
        .where(eq(poolAddresses.address, address));
      if (named[0]?.poolId === poolId) return;
      const place = await findPlace(tx, address);
      if (!place || !isDerived(key, place)) throw new Refusal("payouts/address-of-another-wallet");
      const subject = `pool:${poolId}`;
      const act = { act: "payouts/name-address" as const, subject, detail: { address }, now };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.insert(poolAddresses).values({ address, poolId, createdAt: now, actionId }),
      );
    }),
  );
}
