import { randomUUID } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { type AccountKind, isCustomerAccount } from "#server/ledger/account.ts";
import type { PostedKind, Transfer } from "#server/ledger/transfer.ts";

/** What a test wants to say of a transfer: the units of each account, all of one coin. */
export interface WantedTransfer extends Partial<Omit<Transfer, "legs" | "kind">> {
  kind: PostedKind;
  moves: Partial<Record<AccountKind, bigint>>;
  asset?: Coin;
}

/** A transfer with everything that the test did not care to say. */
export function aTransfer({ kind, moves, asset = "BTC", ...wanted }: WantedTransfer): Transfer {
  const ownerId = wanted.ownerId ?? randomUUID();
  const legs = (Object.entries(moves) as [AccountKind, bigint][]).map(([account, units]) => ({
    account,
    asset,
    owner: isCustomerAccount(account) ? ownerId : "house",
    units,
  }));
  return {
    key: `test:${randomUUID()}`,
    day: "2026-01-31",
    occurredAt: new Date("2026-01-31T12:00:00Z"),
    source: "test:document",
    memo: "",
    ...wanted,
    kind,
    ownerId,
    legs,
  };
}

/** Coins of a customer that arrived. */
export function aDeposit(ownerId: string, units: bigint, wanted: Partial<WantedTransfer> = {}) {
  return aTransfer({
    ownerId,
    ...wanted,
    kind: "deposit",
    moves: { available: units, custody: -units },
  });
}

/** Coins of a customer put aside. */
export function aHold(ownerId: string, units: bigint, wanted: Partial<WantedTransfer> = {}) {
  return aTransfer({
    ownerId,
    ...wanted,
    kind: "hold",
    moves: { available: -units, held: units },
  });
}
