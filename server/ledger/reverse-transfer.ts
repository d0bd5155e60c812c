import { randomUUIDv7 } from "node:crypto";
import { utcDay } from "#core/utc-day.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { call } from "./call.ts";

/**
 * Undoes a transfer by posting its exact mirror, which points to it. A transfer can be reversed once, a
 * reversal never; the same key again returns the first reversal.
 *
 * Refuses with ledger/unknown-transfer, ledger/already-reversed, ledger/not-reversible, ledger/key-reused,
 * and ledger/insufficient-balance when the customer has used the money since.
 */
export async function reverseTransfer(
  tx: Tx | Db,
  reversal: { transferId: string; key: string; occurredAt: Date; memo: string },
): Promise<{ transferId: string; posted: boolean }> {
  const [done] = await call<{ transferId: string; posted: boolean }>(
    tx,
    "reverse_transfer",
    statement,
    [
      randomUUIDv7(),
      reversal.transferId,
      reversal.key,
      utcDay(reversal.occurredAt),
      reversal.occurredAt.toISOString(),
      reversal.memo,
    ],
  );
  if (!done) throw new Error("reverse_transfer answered without a row");
  return done;
}

const statement = `
  select transfer_id as "transferId", posted from reverse_transfer($1, $2, $3, $4, $5, $6)`;
