import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { toRows } from "./to-rows.ts";

export interface SealOfTransfer {
  number: string;
  /** SHA-256 in hexadecimal. Whoever keeps it can later prove that nothing under it was changed. */
  hash: string;
  sealedAt: Date;
}

/** The seal that covers a transfer of this customer; null for the minute before it is made, and for others' transfers. */
export async function findSeal(
  db: Db,
  customerId: string,
  transferId: string,
): Promise<SealOfTransfer | null> {
  const [seal] = await toRows<{ number: string; hash: string; sealedAt: Date }>(
    db,
    sql`select s.number::text as number, encode(s.hash, 'hex') as hash, s.sealed_at as "sealedAt"
          from ledger_transfers t
          join ledger_seals s on s.covers @> t.number
         where t.number = (select number from ledger_keys where id = ${transferId}::uuid) and t.owner_id = ${customerId}::uuid`,
  );
  return seal ? { ...seal, sealedAt: new Date(seal.sealedAt) } : null;
}
