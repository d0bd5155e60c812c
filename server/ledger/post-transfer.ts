import { randomUUIDv7 } from "node:crypto";
import type { Db, Tx } from "#server/platform/database.ts";
import { call } from "./call.ts";
import type { Transfer } from "./transfer.ts";
import { ownerUuid, writeLegs } from "./write-legs.ts";

/**
 * Writes one business fact into the ledger, in one round trip. The same key with the same content
 * returns the transfer that was posted first, so callers may retry freely; clocks are not content.
 *
 * Locks the customer until the caller's transaction ends. Who posts for several customers in one
 * transaction uses `postTransfers`, which locks them in one order.
 *
 * Refuses with ledger/insufficient-balance when a customer's account would fall below zero and
 * ledger/key-reused when the key stands for something else. Mistakes of the caller are refused too:
 * ledger/unbalanced, too-few-legs, empty-leg, repeated-leg, foreign-leg, unlisted-movement,
 * unknown-account, unknown-asset. A refusal undoes the caller's transaction.
 *
 * @returns the transfer's id, and whether this call posted it.
 */
export async function postTransfer(
  tx: Tx | Db,
  transfer: Transfer,
): Promise<{ transferId: string; posted: boolean }> {
  const id = randomUUIDv7();
  const [done] = await call<{ transferId: string }>(
    tx,
    "post_transfer",
    `select post_transfer($1, $2, $3, $4, $5, $6, $7, $8, $9) as "transferId"`,
    [
      id,
      transfer.key,
      transfer.kind,
      ownerUuid(transfer.ownerId),
      transfer.day,
      transfer.occurredAt.toISOString(),
      transfer.source,
      transfer.memo,
      writeLegs(transfer),
    ],
  );
  if (!done) throw new Error("post_transfer answered without a row");
  return { transferId: done.transferId, posted: done.transferId === id };
}
