import { type Coin, coins } from "#core/asset.ts";
import { pageSizes } from "#core/terms.ts";
import { addDays, isDay, startOfDay } from "#core/utc-day.ts";
import { isCustomerAccount } from "#server/ledger/account.ts";
import type { StatementFilter } from "#server/ledger/list-statement.ts";
import { movements, type TransferKind } from "#server/ledger/transfer.ts";
import { kindInWords } from "./ledger-words.ts";

/** What an address asks of the list of entries. */
export interface EntryFilter {
  coin: Coin | null;
  kind: TransferKind | null;
  /** UTC days, both included. */
  from: string | null;
  until: string | null;
  search: string;
  show: number;
}

/** What the ledger has words for and PostgreSQL takes from no one. */
const neverMade: TransferKind[] = ["conversion"];
/** The kinds that can touch a customer's accounts. */
const customersKinds: TransferKind[] = [
  ...Object.entries(movements)
    .filter(([, { debit, credit }]) => [...debit, ...credit].some(isCustomerAccount))
    .map(([kind]) => kind as TransferKind)
    .filter((kind) => !neverMade.includes(kind)),
  "reversal",
];

/** For the choice of a kind, in the order of their words. */
export const kindOptions = customersKinds
  .map((value) => ({ value, label: kindInWords[value] }))
  .sort((a, b) => a.label.localeCompare(b.label));

/** Anything that cannot be meant is left out. */
export function readEntryFilter(params: URLSearchParams): EntryFilter {
  const day = (name: string) => {
    const text = params.get(name) ?? "";
    return isDay(text) ? text : null;
  };
  return {
    coin: coins.find((coin) => coin === params.get("coin")) ?? null,
    kind: customersKinds.find((kind) => kind === params.get("kind")) ?? null,
    from: day("from"),
    until: day("until"),
    search: (params.get("q") ?? "").replaceAll("\0", "").trim().slice(0, 200),
    show: pageSizes.find((size) => size === Number(params.get("show"))) ?? pageSizes[0],
  };
}

/** As the ledger is asked. Words of the page find the kinds that they name. */
export function toStatementFilter({
  coin,
  kind,
  from,
  until,
  search,
}: EntryFilter): StatementFilter {
  const named = kindOptions.filter(({ label }) =>
    label.toLowerCase().includes(search.toLowerCase()),
  );
  return {
    asset: coin ?? undefined,
    kinds: kind ? [kind] : undefined,
    from: from ? startOfDay(from) : undefined,
    until: until ? startOfDay(addDays(until, 1)) : undefined,
    search: search ? { text: search, kinds: named.map(({ value }) => value) } : undefined,
  };
}
