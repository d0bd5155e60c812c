import { type Coin, coins } from "#core/asset.ts";
import { isUuid } from "#core/is-uuid.ts";
import { oneOf, orNull, readRows, units } from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import { type AccountKind, accountKinds } from "./account.ts";
import { ledgerTransfers } from "./schema.ts";
import type { TransferKind } from "./transfer.ts";

export interface PostedTransfer {
  transferId: string;
  /** The customer's account. */
  ownerId: string;
  kind: TransferKind;
  day: string;
  occurredAt: Date;
  createdAt: Date;
  source: string;
  memo: string;
  /** The transfer that this one undoes. */
  reverses: string | null;
  entries: { account: AccountKind; asset: Coin; units: bigint; balanceAfter: bigint | null }[];
}

/** A customer's transfer with all of its entries, the house's side included; null when it is not his. */
export async function findTransfer(
  db: Db | Tx,
  customerId: string,
  transferId: string,
): Promise<PostedTransfer | null> {
  if (!isUuid(transferId)) return null;
  const [transfer] = await db
    .select()
    .from(ledgerTransfers)
    .where(
      and(
        eq(ledgerTransfers.ownerId, customerId),
        sql`${ledgerTransfers.number} = (select number from ledger_keys where id = ${transferId})`,
      ),
    );
  if (!transfer) return null;
  const entries = await readRows(
    db,
    sql`select leg.account, leg.asset, leg.units, e.balance_after
          from ledger_transfers t cross join unnest(t.legs) leg
          left join ledger_entries e
            on e.owner_id = t.owner_id and e.account = leg.account and e.asset = leg.asset
           and e.transfer_number = t.number and e.account in ('available', 'held')
         where t.number = ${transfer.number}
         order by leg.account, leg.asset`,
    {
      account: oneOf(accountKinds),
      asset: oneOf(coins),
      units,
      balanceAfter: orNull(units),
    },
  );
  return {
    transferId: transfer.id,
    ownerId: customerId,
    kind: transfer.kind,
    day: transfer.day,
    occurredAt: transfer.occurredAt,
    createdAt: transfer.createdAt,
    source: transfer.source,
    memo: transfer.memo,
    reverses: transfer.reverses,
    entries,
  };
}
