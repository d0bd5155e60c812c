import type { SealedTransfer } from "#core/proof/seal.ts";
import { json, orNull, readRows, text } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/** The transfers under a seal, at most 10,000, in the order of its leaves; or only that with this id. */
export async function listSealed(
  db: Db | Tx,
  sealNumber: string,
  only?: string,
): Promise<SealedTransfer[]> {
  return readRows(
    db,
    sql`select t.number, t.id, t.key, t.kind, t.owner_id as "ownerId", t.day::text as day,
               moment_to_hash(t.occurred_at) as "occurredAt", moment_to_hash(t.created_at) as "createdAt",
               t.source, t.memo, t.reverses, e.entries
          from ledger_seals s
         cross join unnest(s.covers) block
          join ledger_transfers t on t.number >= lower(block) and t.number < upper(block)
           ${only ? sql`and t.number = (select number from ledger_keys where id = ${only}::uuid)` : sql``}
          left join lateral (
            select coalesce(json_agg(json_build_array(leg.account, leg.asset, leg.units::text, e.sequence::text,
                                                      e.balance_after::text) order by leg.asset, leg.account), '[]') as entries
              from unnest(t.legs) leg
              left join ledger_entries e
                on e.owner_id = t.owner_id and e.account = leg.account and e.asset = leg.asset
               and e.transfer_number = t.number and e.account in ('available', 'held')) e on true
         where s.number = ${sealNumber}
         order by t.number`,
    {
      number: text,
      id: text,
      key: text,
      kind: text,
      ownerId: text,
      day: text,
      occurredAt: text,
      createdAt: text,
      source: text,
      memo: text,
      reverses: orNull(text),
      entries: json<SealedTransfer["entries"]>(),
    },
  );
}
