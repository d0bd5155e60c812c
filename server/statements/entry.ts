import { isUuid } from "#core/is-uuid.ts";
import type { StatementLine } from "../ledger/list-statement.ts";

/** What an entry was worth when it happened, by a price that is stored for good. */
export interface EntryValue {
  /** Signed, rounded to the cent. */
  usdCents: bigint;
  /** 10^-8 dollars for one coin. */
  usdE8: bigint;
  /** When exchanges agreed on it; of a day's close, the end of the day. */
  observedAt: Date;
  /**
   * Which price it is: the mining day's, that of the quote that a contract was bought at, of a deposit when it was credited,
   * of a withdrawal when it was requested, the first of the moment's ten minutes or of the ten before, or the close of the UTC day where
   * none was.
   */
  basis: "mining-day" | "quote" | "deposit" | "withdrawal" | "moment" | "close";
  /** The exchanges that agreed. */
  sources: string[];
  simulated: boolean;
}

/** An entry of a customer's statement, with its value; null where no price was stored. */
export interface StatementEntry extends StatementLine {
  value: EntryValue | null;
  document: EntryDocument | null;
}

/** What caused the entry, as far as the customer has a page for it. */
export type EntryDocument =
  | { of: "deposit" | "contract" | "withdrawal" | "adjustment"; id: string }
  /** Of the one contract that ran on that day; null: of several. */
  | { of: "receipt"; day: string; contractId: string | null };

const documents = ["deposit", "contract", "withdrawal", "adjustment"] as const;
/** Reads the ledger's `deposit:<id>` and the like. */
export function documentOf(
  source: string,
  { contractId }: { contractId: string | null },
): EntryDocument | null {
  const [of, id = ""] = source.split(":");
  if (of === "mining-run") return { of: "receipt", day: id, contractId };
  const known = documents.find((each) => each === of);
  return known && isUuid(id) ? { of: known, id } : null;
}
