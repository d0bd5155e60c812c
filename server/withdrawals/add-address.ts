import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import type { Network } from "#core/payments/address.ts";
import { withdrawalTerms } from "#core/payments/withdrawal.ts";
import { explainAddress, readAddress } from "#core/payments/withdrawal-address.ts";
import { Refusal } from "#core/refusal.ts";
import { and, count, eq, isNull } from "#server/platform/sql.ts";
import { isOurAddress } from "../chain/wallets/find-owner-of-address.ts";
import { recordAccountEvent } from "../identity/account/account-events.ts";
import type { Browser } from "../identity/settings/settings.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { countRequest } from "./count-requests.ts";
import { refusals } from "./refusals.ts";
import { withdrawalAddresses } from "./schema.ts";
import { scriptOf } from "./withdrawal.ts";

/**
 * Puts an address for one coin into a customer's book. Nothing leaves to it for 24 hours. The same address again is the one that is
 * there, with another label if one is given.
 *
 * @throws Refusal `withdrawals/bad-address`, `withdrawals/own-address` (one of ours, which pays nobody out),
 * `withdrawals/label-missing`, `withdrawals/book-full`, `withdrawals/account-closed`
 * @throws TooManyAttempts
 */
export async function addAddress(
  db: Db,
  added: {
    customerId: string;
    coin: Coin;
    address: string;
    label: string;
    network: Network;
    /** Of the operator's own, which pays others and is paid by nobody. */
    hotWalletAddress: string | null;
    usdtContract: string | null;
    browser: Browser;
  },
  now: Date,
): Promise<{ addressId: string; usableFrom: Date }> {
  const { customerId, coin, browser } = added;
  const address = readAddress(added.address, coin);
  const label = added.label.replace(/[\p{Cc}\s]+/gu, " ").trim();
  if (label === "" || label.length > withdrawalTerms.addressLabelMax) {
    throw new Refusal("withdrawals/label-missing");
  }
  if (!canBePaid(address, added)) throw new Refusal("withdrawals/bad-address");
  if (address === added.hotWalletAddress || (await isOurAddress(db, address))) {
    throw new Refusal("withdrawals/own-address");
  }
  const a = withdrawalAddresses;
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      const ofCustomer = and(eq(a.customerId, customerId), isNull(a.removedAt));
      const [known] = await tx
        .update(a)
        .set({ label })
        .where(and(ofCustomer, eq(a.asset, coin), eq(a.address, address)))
        .returning({ addressId: a.id, usableFrom: a.usableFrom });
      if (known) return known;
      const [kept] = await tx.select({ count: count() }).from(a).where(ofCustomer);
      if ((kept?.count ?? 0) >= withdrawalTerms.addressesMax) {
        throw new Refusal("withdrawals/book-full");
      }
      await countRequest(tx, "addresses", customerId, now);
      const usableFrom = new Date(now.getTime() + withdrawalTerms.newAddressHours * 3_600_000);
      const id = randomUUIDv7();
      const row = { id, customerId, asset: coin, address, label, addedAt: now };
      await tx.insert(a).values({ ...row, usableFrom });
      await recordAccountEvent(tx, {
        userId: customerId,
        event: "withdrawal-address-added",
        by: "self" as const,
        now,
        detail: { address, coin },
        ...browser,
      });
      return { addressId: id, usableFrom };
    }),
  );
}

/** Of Bitcoin more is known than its letters tell: taproot keys that lie on no curve. */
function canBePaid(
  address: string,
  rules: { coin: Coin; network: Network; usdtContract: string | null },
) {
  return rules.coin === "BTC"
    ? scriptOf(address, rules.network) !== null
    : explainAddress(address, rules) === null;
}
