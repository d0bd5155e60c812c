import { pageSizes } from "#core/terms.ts";
import { type DepositListing, depositSorts } from "#server/deposits/list-deposits.ts";

/** What the address says about the table. Anything unknown falls back to the usual. */
export function readListing(url: string): DepositListing {
  const params = new URL(url).searchParams;
  const page = Number(params.get("page"));
  return {
    search: params.get("q") ?? undefined,
    sort: depositSorts.find((sort) => sort === params.get("sort")),
    direction: (["asc", "desc"] as const).find((direction) => direction === params.get("dir")),
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    show: pageSizes.find((size) => size === Number(params.get("show"))) ?? pageSizes[0],
  };
}
