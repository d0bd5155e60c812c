import { Refusal } from "#core/refusal.ts";
import { houseId, isCustomerAccount } from "./account.ts";
import type { Leg, Transfer } from "./transfer.ts";

/** A transfer's legs as the database reads them, in its order of assets and accounts. */
export function writeLegs({ legs, ownerId }: Pick<Transfer, "legs" | "ownerId">): string {
  const written = legs.toSorted(byAssetAndAccount).map((leg) => {
    if (leg.units === 0n) throw new Refusal("ledger/empty-leg");
    refuseForeignLeg(leg, ownerId);
    return `"(${leg.account},${leg.asset},${leg.units})"`;
  });
  return `{${written.join(",")}}`;
}

function byAssetAndAccount(a: Leg, b: Leg): number {
  const left = `${a.asset} ${a.account}`;
  const right = `${b.asset} ${b.account}`;
  return left < right ? -1 : Number(left > right);
}

/** Every customer's account in a transfer is its owner's; the house's accounts are the house's. */
function refuseForeignLeg(leg: Leg, ownerId: string): void {
  const owner = isCustomerAccount(leg.account) ? ownerId : "house";
  if (ownerUuid(leg.owner) !== ownerUuid(owner)) throw new Refusal("ledger/foreign-leg");
}

/** How an owner stands in the database: the house has the uuid of zeros. */
export function ownerUuid(ownerId: string): string {
  return ownerId === "house" ? houseId : ownerId.toLowerCase();
}
