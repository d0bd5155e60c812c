import type { Coin } from "#core/asset.ts";
import {
  getRow,
  json,
  moment,
  number,
  orNull,
  type RowOf,
  text,
} from "#server/platform/database/read-rows.ts";
import type { Db, Tx } from "#server/platform/database.ts";
import { type SQL, sql } from "#server/platform/sql.ts";
import type { CustomerAccount } from "./account.ts";
import type { TransferKind } from "./transfer.ts";

/** One line of a customer's statement: an entry on one of his accounts, with the fact that moved it. */
export interface StatementLine {
  transferId: string;
  kind: TransferKind;
  occurredAt: Date;
  day: string;
  memo: string;
  source: string;
  account: CustomerAccount;
  asset: Coin;
  /** Signed: positive came in. */
  units: bigint;
  /** Of this account. */
  balanceAfter: bigint;
  /** Of both accounts of the coin together: what the customer owned after it. */
  coinBalanceAfter: bigint;
  /** Hand it back as `after` for the lines that follow. */
  cursor: string;
}

/** What a customer looks for in his statement; what is left out is not asked. */
export interface StatementFilter {
  asset?: Coin | undefined;
  kinds?: readonly TransferKind[] | undefined;
  /** Happened at or after. */
  from?: Date | undefined;
  /** Happened before. */
  until?: Date | undefined;
  /** Part of the memo, the source, an id, a day or an amount; or of these kinds. */
  search?: { text: string; kinds: readonly TransferKind[] } | undefined;
}

export interface StatementListing extends StatementFilter {
  /** The cursor of the last line seen. Any other text is the start. */
  after?: string | undefined;
  limit: number;
  /** Newest first unless said otherwise. */
  oldestFirst?: boolean;
}

export interface StatementPage {
  lines: StatementLine[];
  /** Where to go on; null at the end. */
  after: string | null;
  /** Set when nobody knows yet whether there is more: so far back was looked in this call. */
  lookedBackTo: Date | null;
}

/** So many entries are looked at in one statement, and in one call, before the reader is asked whether to go on. */
const window = 20_000;
const windowsPerCall = 15;

/**
 * A customer's entries, by keyset: a page costs the same wherever it lies. Only the coin is found by index; for the other
 * filters entries are looked at in windows, so that a call takes bounded time however long the statement is.
 */
export async function listStatement(
  db: Db | Tx,
  customerId: string,
  { after, limit, ...listing }: StatementListing,
): Promise<StatementPage> {
  const lines: StatementLine[] = [];
  let cursor = after ?? null;
  let lookedBackTo: Date | null = null;
  for (let windows = 0; windows < windowsPerCall; windows += 1) {
    const most = limit - lines.length;
    // One more than is shown tells whether there is more. Where most entries are wanted, they are found in few.
    const size = isFiltered(listing) ? Math.min((most + 1) * 10 ** windows, window) : most + 1;
    const seen = await look(db, customerId, { ...listing, after: cursor, limit: most + 1, size });
    lines.push(...seen.lines.slice(0, most));
    const isFull = seen.lines.length > most;
    if (isFull) return { lines, after: lines.at(-1)?.cursor ?? null, lookedBackTo: null };
    if (seen.count < size) return { lines, after: null, lookedBackTo: null };
    cursor = seen.lastCursor;
    lookedBackTo = seen.lastOccurredAt;
  }
  return { lines, after: cursor, lookedBackTo };
}

function isFiltered({ kinds, from, until, search }: StatementFilter): boolean {
  return Boolean(kinds ?? from ?? until ?? search);
}

interface Window extends Omit<StatementListing, "after"> {
  after: string | null;
  /** So many entries are looked at. */
  size: number;
}

const seenColumns = {
  count: number,
  lastCursor: orNull(text),
  lastOccurredAt: orNull(moment),
  lines:
    json<
      Array<
        Record<keyof StatementLine, string> & {
          kind: TransferKind;
          account: CustomerAccount;
          asset: Coin;
        }
      >
    >(),
};
interface Seen extends Omit<RowOf<typeof seenColumns>, "lines"> {
  lines: StatementLine[];
}

const cursorOf = sql.raw("transfer_number || '.' || account || '.' || asset");

/** The lines of one window: of each account the next entries in the order of their index, and of those the first. */
async function look(
  db: Db | Tx,
  customerId: string,
  { size, limit, oldestFirst = false, after, ...filter }: Window,
): Promise<Seen> {
  const way = sql.raw(oldestFirst ? "asc" : "desc");
  const back = sql.raw(oldestFirst ? "desc" : "asc");
  const row = await getRow(
    db,
    sql`with seen as materialized (
          select e.* from ledger_accounts a cross join lateral (
            select transfer_number, e.account, e.asset, units, balance_after from ledger_entries e
             where e.owner_id = a.owner_id and e.account = a.account and e.asset = a.asset
               and e.account in ('available', 'held') and ${beyond(after, oldestFirst)}
             order by transfer_number ${way} limit ${size}) e
           where a.owner_id = ${customerId} and a.balance is not null
             and ${filter.asset ? sql`a.asset = ${filter.asset}` : sql`true`}
           order by transfer_number ${way}, account, asset limit ${size}
        ), found as (
          select e.*, t.id, t.kind, t.occurred_at, t.day, t.memo, t.source
            from seen e join ledger_transfers t on t.number = e.transfer_number
           where ${matching(filter)}
           order by transfer_number ${way}, account, asset limit ${limit}
        )
        select (select count(*) from seen) as count,
               (select ${cursorOf} from seen order by transfer_number ${back}, account desc, asset desc limit 1) as "lastCursor",
               (select t.occurred_at from ledger_transfers t
                 where t.number = (select case when ${oldestFirst} then max(transfer_number) else min(transfer_number) end
                                     from seen)) as "lastOccurredAt",
               coalesce((select json_agg(json_build_object(
                 'transferId', id, 'kind', kind, 'occurredAt', occurred_at, 'day', day, 'memo', memo, 'source', source,
                 'account', account, 'asset', asset, 'units', units::text, 'balanceAfter', balance_after::text,
                 'coinBalanceAfter', (balance_after + coalesce((
                    select o.balance_after from ledger_entries o
                     where o.owner_id = ${customerId} and o.asset = found.asset
                       and o.account = case found.account when 'held' then 'available' else 'held' end
                       and o.account in ('available', 'held') and o.transfer_number <= found.transfer_number
                     order by o.transfer_number desc limit 1), 0))::text,
                 'cursor', ${cursorOf}) order by transfer_number ${way}, account, asset) from found), '[]') as lines`,
    seenColumns,
  );
  return {
    ...row,
    lines: row.lines.map((line) => ({
      ...line,
      occurredAt: new Date(line.occurredAt),
      units: BigInt(line.units),
      balanceAfter: BigInt(line.balanceAfter),
      coinBalanceAfter: BigInt(line.coinBalanceAfter),
    })),
  };
}

/** Entries behind a cursor: of the transfers that follow, or later in the same one. */
function beyond(cursor: string | null, oldestFirst: boolean): SQL {
  const match = /^(\d{1,18})\.([a-z_]+)\.([A-Z]+)$/.exec(cursor ?? "");
  if (!match) return sql`true`;
  const [, number, account, asset] = match;
  const isLater = sql`(a.account, a.asset::text) > (${account}, ${asset})`;
  return oldestFirst
    ? sql`e.transfer_number > case when ${isLater} then ${number}::bigint - 1 else ${number}::bigint end`
    : sql`e.transfer_number < case when ${isLater} then ${number}::bigint + 1 else ${number}::bigint end`;
}

const decimalOf = sql.raw(
  "trim_scale(abs(e.units) * case e.asset when 'BTC' then 1e-8 when 'ETH' then 1e-18 else 1e-6 end)",
);

/** Plain text search: a percent sign is a percent sign. Fields stand on lines, so no match spans two. */
function matching({ kinds, from, until, search }: StatementFilter): SQL {
  const asked = [
    kinds && sql`t.kind = any(${sql.param([...kinds])}::text[])`,
    from && sql`t.occurred_at >= ${from.toISOString()}::timestamptz`,
    until && sql`t.occurred_at < ${until.toISOString()}::timestamptz`,
    search &&
      sql`(t.kind = any(${sql.param([...search.kinds])}::text[]) or position(lower(${search.text}) in
           lower(concat_ws(E'\n', t.memo, t.source, t.id, t.day, ${decimalOf}))) > 0)`,
  ].filter((each) => each !== undefined);
  return asked.length === 0 ? sql`true` : sql.join(asked, sql` and `);
}
