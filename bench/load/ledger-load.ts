import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import type { AccountKind } from "#server/ledger/account.ts";
import { postTransfer } from "#server/ledger/post-transfer.ts";
import { postTransfers } from "#server/ledger/post-transfers.ts";
import type { PostedKind, Transfer } from "#server/ledger/transfer.ts";
import type { Db } from "#server/platform/database.ts";

/** Customers of the bench are numbered; pgbench computes the same ids. */
export function benchCustomer(place: number): string {
  const digits = (place + 1).toString(16).padStart(32, "0");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** As a deposit credits: one account of a customer, and one of the house that all customers share. */
export function credit(customerId: string, units: bigint): Transfer {
  return transfer("conversion", customerId, [
    ["available", customerId, units],
    ["conversion", "house", -units],
  ]);
}

/** As a hold: two accounts of a customer, none of the house. */
function putAside(customerId: string, units: bigint): Transfer {
  return transfer("conversion", customerId, [
    ["available", customerId, -units],
    ["held", customerId, units],
  ]);
}

function transfer(
  kind: PostedKind,
  ownerId: string,
  legs: [account: AccountKind, owner: string, units: bigint][],
): Transfer {
  const asset: Coin = "BTC";
  return {
    kind,
    // Like the ids of the documents that cause transfers: in the order of time.
    key: `bench:${randomUUIDv7()}`,
    ownerId,
    day: "2026-01-31",
    occurredAt: new Date(),
    source: "bench",
    memo: "",
    legs: legs.map(([account, owner, units]) => ({ account, asset, owner, units })),
  };
}

/** Posts from so many clients at once for a while; each waits for its answer before it asks again. */
export async function postFor(
  db: Db,
  load: { clients: number; seconds: number; customers: number; touching: "house" | "customers" },
): Promise<number> {
  const make = load.touching === "house" ? credit : putAside;
  const end = performance.now() + load.seconds * 1000;
  let posted = 0;
  const client = async () => {
    while (performance.now() < end) {
      const customer = Math.floor(Math.random() * load.customers);
      await postTransfer(db, make(benchCustomer(customer), 100n));
      posted += 1;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: load.clients }, client));
  return posted / ((performance.now() - started) / 1000);
}

/** Posts so many transfers as one batch. */
export async function postMany(
  db: Db,
  load: { transfers: number; customers: number },
): Promise<number> {
  const batch = Array.from({ length: load.transfers }, (_, place) =>
    credit(benchCustomer(place % load.customers), 100n),
  );
  const started = performance.now();
  await postTransfers(db, batch);
  return load.transfers / ((performance.now() - started) / 1000);
}
