import type { Claim } from "./verify-claims.ts";

/** Which of the transfers that a verification asks about a part of a statement shall be looked up for. */
export type Among = (columns: string, of: string) => string;

export interface DocumentClaim extends Claim {
  /** The kinds of transfers that it asks for their document. */
  kinds: string[];
  /** The kinds whose reversals it asks for theirs. */
  reverses: string[];
  /** The same as `wrong`, of the transfers above a number alone, and at the cost of these. */
  wrongAbove(number: bigint): string;
}

interface Documents {
  claim: string;
  /** The table whose rows are counted. */
  count: string;
  kinds: string[];
  reverses?: string[];
  /**
   * Selects, for all documents, the transfers that must stand in the ledger, in these columns: key, kind, owner_id, legs, source,
   * and, null where the document does not say it, transfer_id, reverses, occurred_at and day. Without a day it is that of the time.
   * `among("d.transfer_id", "id")` is a condition: true of all documents, or only of those whose column stands in that
   * column of the new transfers. More than these is no mistake, and costs time.
   */
  documents(among: Among): string;
}

/** Every transfer of some kinds has its document, every document its transfer, and both say the same. */
export function documentClaim({ documents, reverses = [], ...of }: Documents): DocumentClaim {
  const wrong = (transfers: string, asked: string, join: string) => `
    with fresh as materialized (select * from ${transfers}),
         asked as (select * from fresh t
                    where t.kind in (${list(of.kinds)})
                       or t.kind = 'reversal' and (select k.kind from ledger_keys k where k.id = t.reverses) in (${list(reverses)}))
    select coalesce('transfer ' || t.number || ' ' || t.key, d.key) as what
      from asked t ${join} join (${asked}) d on d.key = t.key
     where t.key is null or d.key is null
        or (t.kind, t.owner_id, t.source, t.legs::ledger_leg[]) is distinct from (d.kind, d.owner_id, d.source, d.legs)
        or t.id <> d.transfer_id or t.reverses is distinct from d.reverses or t.occurred_at <> d.occurred_at
        or t.day <> coalesce(d.day, (t.occurred_at at time zone 'UTC')::date)`;
  return {
    ...of,
    reverses,
    wrong: wrong(
      "ledger_transfers",
      documents(() => "true"),
      "full",
    ),
    wrongAbove: (number) =>
      wrong(
        `ledger_transfers where number > ${number}`,
        documents((columns, asked) =>
          columns.includes(",")
            ? `(${columns}) in (select ${asked} from fresh)`
            : `${columns} = any (array(select ${asked} from fresh))`,
        ),
        "left",
      ),
  };
}

function list(kinds: string[]): string {
  return kinds.length > 0 ? kinds.map((kind) => `'${kind}'`).join(", ") : "null";
}
