import type { OwedProof, ShownOwed } from "#core/proof/recompute-owed.ts";
import type { OwedLeaf, SumSibling, Sums } from "#core/proof/sum-tree.ts";
import { flag, getRow, json, orNull } from "#server/platform/database/read-rows.ts";
import type { Db } from "#server/platform/database.ts";
import { type SQL, sql } from "#server/platform/sql.ts";
import { findOwedDay, type PublishedDay } from "./list-days.ts";

/** What the newest tree says of a customer, and what the account says. */
export interface FoundOwed {
  day: PublishedDay;
  /** Null: the tree has no leaf of this customer. */
  proof: OwedProof | null;
  shown: ShownOwed;
  /** Whether anything was posted for this customer before the tree was made: then there has to be a leaf. */
  wasThere: boolean;
}

const sumsOf = (of: (coin: SQL) => SQL) =>
  sql`jsonb_build_object('BTC', ${of(sql`'BTC'`)}, 'ETH', ${of(sql`'ETH'`)}, 'USDT', ${of(sql`'USDT'`)})`;
const columnsOf = (what: SQL) => sql`jsonb_build_object(
  'BTC', l.btc_${what}::text, 'ETH', l.eth_${what}::text, 'USDT', l.usdt_${what}::text)`;

/**
 * All that leads from a customer's leaf in the tree of what is owed of a day, or the newest one, to the published digest, and, read in the same statement, what
 * there is now and what moved since. Null: there is none. Reads as many nodes as the tree is high, and the entries since.
 */
export async function findOwedProof(
  db: Db,
  customerId: string,
  of: string | null = null,
): Promise<FoundOwed | null> {
  const day = await findOwedDay(db, of);
  if (!day) return null;
  const row = await getRow(
    db,
    sql`
      with l as (select * from proof_leaves where customer_id = ${customerId} and day = ${day.day}),
      accounts as (
        select a.*, coalesce((l.entry_counts ->> (a.account || ' ' || a.asset))::bigint, 0) as counted
          from ledger_accounts a left join l on true where a.owner_id = ${customerId}),
      since as (
        select a.asset, sum(e.units) as moved, -sum(e.units) filter (where t.kind = 'contract-purchase') as bought
          from accounts a
         cross join lateral (
           -- Numbers and sequences may differ by what was posted side by side.
           select * from ledger_entries each
            where each.owner_id = a.owner_id and each.account = a.account and each.asset = a.asset and each.account in ('available', 'held')
            order by transfer_number desc limit a.entry_count - a.counted + 20) e
          join ledger_transfers t on t.number = e.transfer_number where e.sequence > a.counted group by a.asset),
      prepaid as (select coin, sum(units) as units from unserved_shares() where customer_id = ${customerId} group by coin)
      select (select jsonb_build_object('day', iso_day(l.day), 'customerId', l.customer_id, 'nonce', l.nonce,
                'balance', ${columnsOf(sql.raw("balance"))}, 'prepaid', ${columnsOf(sql.raw("prepaid"))}) from l) as leaf,
             (select jsonb_agg(jsonb_build_object(
                'side', case (l.place >> h.height) & 1 when 1 then 'left' else 'right' end, 'hash', encode(n.hash, 'hex'),
                'BTC', n.btc::text, 'ETH', n.eth::text, 'USDT', n.usdt::text) order by h.height)
                from l cross join generate_series(0, 31) h (height)
                join proof_nodes n on n.day = l.day and n.height = h.height and n.place = (l.place >> h.height) # 1) as path,
             ${sumsOf((coin) => sql`coalesce((select sum(balance) from accounts where asset = ${coin}), 0)::text`)} as balance,
             ${sumsOf((coin) => sql`coalesce((select units from prepaid p where p.coin = ${coin}), 0)::text`)} as prepaid,
             ${sumsOf((coin) => sql`coalesce((select moved from since where asset = ${coin}), 0)::text`)} as moved,
             ${sumsOf((coin) => sql`coalesce((select bought from since where asset = ${coin}), 0)::text`)} as bought,
             exists (select from accounts a join ledger_entries e on (e.owner_id, e.account, e.asset, e.sequence) = (a.owner_id, a.account, a.asset, 1)
                       join ledger_transfers t on t.number = e.transfer_number
                      where e.account in ('available', 'held') and t.created_at < ${day.publishedAt}::timestamptz - interval '10 minutes')
               or exists (select from ledger_openings where owner_id = ${customerId}) as "wasThere"`,
    {
      leaf: orNull(json<OwedLeaf>()),
      path: orNull(json<SumSibling[]>()),
      balance: json<Sums>(),
      prepaid: json<Sums>(),
      moved: json<Sums>(),
      bought: json<Sums>(),
      wasThere: flag,
    },
  );
  const { leaf, path, wasThere, ...said } = row;
  return {
    day,
    proof: leaf && { leaf, path: path ?? [], day },
    shown: { customerId, ...said },
    wasThere: leaf !== null || wasThere,
  };
}
