import { findRow, moment, type RowOf, text } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

const columns = {
  number: text,
  /** SHA-256 in hexadecimal. Anyone who keeps it can prove later that nothing under it was changed. */
  hash: text,
  sealedAt: moment,
};
export type SealOfTransfer = RowOf<typeof columns>;

/** The seal that covers a transfer of this customer; null for the minute before it is made, and for others' transfers. */
export async function findSeal(
  db: Db,
  customerId: string,
  transferId: string,
): Promise<SealOfTransfer | null> {
  return findRow(
    db,
    sql`select s.number::text as number, encode(s.hash, 'hex') as hash, s.sealed_at
          from ledger_transfers t
          join ledger_seals s on s.covers @> t.number
         where t.number = (select number from ledger_keys where id = ${transferId}::uuid) and t.owner_id = ${customerId}::uuid`,
    columns,
  );
}
