import { expect } from "vitest";
import { postTransfer } from "../../server/ledger/post-transfer.ts";
import type { Db } from "../../server/platform/database.ts";
import { transferOf } from "./posting-load.ts";

export interface Asked {
  /** Every key that was asked for. */
  asked: Set<string>;
  /** The transfers of those keys that were acknowledged. */
  told: Map<string, string>;
}

export interface Outcome {
  acknowledged: number;
  /** Acknowledged, and not there under the same id: must be none. */
  lost: number;
  /** Asked for, and not answered when the fault struck. Without any, nothing was tried. */
  inDoubt: number;
  inDoubtPosted: number;
}

/** What became of the requests around a fault, found out by asking each of them again with its key. */
export async function askAgain(db: Db, { asked, told }: Asked): Promise<Outcome> {
  const outcome = { acknowledged: told.size, lost: 0, inDoubt: 0, inDoubtPosted: 0 };
  const keys = [...asked].values();
  const ask = async () => {
    for (const key of keys) {
      const answer = await postTransfer(db, transferOf(key));
      count(outcome, told.get(key), answer);
    }
  };
  await Promise.all(Array.from({ length: 8 }, ask));
  return outcome;
}

function count(
  outcome: Outcome,
  first: string | undefined,
  { transferId, posted }: { transferId: string; posted: boolean },
): void {
  if (first !== undefined && (posted || transferId !== first)) outcome.lost += 1;
  if (first !== undefined) return;
  outcome.inDoubt += 1;
  if (!posted) outcome.inDoubtPosted += 1;
}

export function addUp(outcomes: Outcome[]): Outcome {
  const sum = (key: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  return {
    acknowledged: sum("acknowledged"),
    lost: sum("lost"),
    inDoubt: sum("inDoubt"),
    inDoubtPosted: sum("inDoubtPosted"),
  };
}

/** Exactly once: every key that was ever asked for now has one transfer, and its customer the sum of them. */
export async function expectExactlyOnce(db: Db, asked: Iterable<string>): Promise<void> {
  const keys = [...asked];
  const { rows } = await db.$client.query(
    `select count(*) as transfers, count(distinct key) as keys,
            (select sum(balance) from ledger_accounts
              where owner_id in (select split_part(key, ' ', 1)::uuid from unnest($1::text[]) key)) as held,
            (select sum(split_part(key, ' ', 2)::numeric) from unnest($1::text[]) key) as expected
       from ledger_transfers where key = any ($1)`,
    [keys],
  );
  expect(rows[0]).toEqual({
    transfers: String(keys.length),
    keys: String(keys.length),
    held: rows[0].expected,
    expected: rows[0].expected,
  });
}
