import { and, asc, desc, eq, type SQL, sql } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { countsAsPaidIn } from "./get-deposit-totals.ts";
import { depositSlips, deposits } from "./schema.ts";
import { asDeposit, columns, type Deposit } from "./select-deposits.ts";

const d = deposits;
const s = depositSlips;

export const depositSorts = ["date", "method", "amount", "status", "id"] as const;
export type DepositSort = (typeof depositSorts)[number];

export interface DepositListing {
  /** Any part of id, method, amount, transaction id, status or date. */
  search?: string | undefined;
  sort?: DepositSort | undefined;
  direction?: "asc" | "desc" | undefined;
  /** From 1. */
  page?: number | undefined;
  show: number;
}

export interface DepositPage {
  deposits: Deposit[];
  page: number;
  /** Of all that match, not of this page. */
  total: number;
  /** The dollars of all that match and were not rejected. */
  totalUsdCents: bigint;
}

/** A customer's deposits, newest first unless sorted otherwise. Rows and totals are of one moment. */
export async function listDeposits(
  db: Db | Tx,
  customerId: string,
  listing: DepositListing,
): Promise<DepositPage> {
  const { show, page = 1 } = listing;
  const rows = await db
    .select({
      ...columns,
      total: sql<number>`(count(*) over ())::int`,
      totalUsdCents:
        sql`coalesce(sum(${d.usdCents}) filter (where ${countsAsPaidIn}) over (), 0)`.mapWith(
          BigInt,
        ),
    })
    .from(d)
    .leftJoin(s, eq(s.id, d.slipId))
    .where(and(eq(d.customerId, customerId), matching(listing.search)))
    .orderBy(...order(listing))
    .limit(show)
    .offset((page - 1) * show);
  const [first] = rows;
  if (!first && page > 1) return listDeposits(db, customerId, { ...listing, page: 1 });
  return {
    deposits: rows.map(({ total: _, totalUsdCents: __, ...row }) => asDeposit(row)),
    page,
    total: first?.total ?? 0,
    totalUsdCents: first?.totalUsdCents ?? 0n,
  };
}

const statusText = sql`case when ${d.state} = 'rejected' then 'Rejected' when ${d.state} in ('orphaned', 'reversed') then 'Reversed' when ${d.imageUrl} <> '' then 'Approved' else 'Pending' end`;

/** Plain text search: a percent sign is a percent sign. Fields stand on lines, so no match spans two. */
function matching(search: string | undefined): SQL | undefined {
  // PostgreSQL keeps no zero bytes in texts, and takes none.
  const wanted = search?.replaceAll("\0", "").trim().slice(0, 200);
  if (!wanted) return undefined;
  const dollars = (cents: typeof d.usdCents) =>
    sql`'$' || to_char(${cents} / 100, 'FM999999990.00'), '$' || to_char(${cents} / 100, 'FM999,999,990.00')`;
  return sql`position(lower(${wanted}) in lower(concat_ws(E'\n', ${d.id}, ${d.method}, ${dollars(d.usdCents)},
    ${dollars(d.claimedUsdCents)}, ${d.txid}, ${statusText}, ${d.declaredOn}))) > 0`;
}

const sortKeys: Record<DepositSort, SQL[]> = {
  date: [sql`${d.declaredOn}`, sql`${d.createdAt}`],
  method: [sql`${d.method}`],
  amount: [sql`${d.usdCents}`],
  status: [statusText],
  id: [],
};

/** Ends with the id, so that no two rows change places between pages. */
function order({ sort = "date", direction = "desc" }: DepositListing): SQL[] {
  const directed = direction === "asc" ? asc : desc;
  return [...sortKeys[sort], sql`${d.id}`].map((key) => directed(key));
}
