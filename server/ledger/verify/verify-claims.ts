import { getRow, number, orNull, text } from "#server/platform/database/read-rows.ts";
import { allowMinutes, type Db, type Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import type { LedgerCheck } from "./ledger-check.ts";

/** A statement that checks a table reads all of it. */
const verifiesWithinMinutes = 24 * 60;

/** What must be true of the rows of some tables. Both statements are code, never input. */
export interface Claim {
  claim: string;
  /** The table that it is about, whose rows are counted. */
  count: string;
  /** Selects what contradicts the claim, and names it in the column `what`. */
  wrong: string;
}

/**
 * Checks the claims in turn, and then `further`, on one state of the database while others go on writing, however
 * long it takes.
 */
export function verifyClaims(
  db: Db,
  claims: Claim[],
  further?: (tx: Tx) => Promise<LedgerCheck[]>,
): Promise<LedgerCheck[]> {
  return db.transaction(
    async (tx) => {
      await allowMinutes(tx, verifiesWithinMinutes);
      const checks: LedgerCheck[] = [];
      for (const claim of claims) checks.push(await verifyClaim(tx, claim));
      return [...checks, ...((await further?.(tx)) ?? [])];
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function verifyClaim(tx: Tx, { claim, count, wrong }: Claim): Promise<LedgerCheck> {
  const looked = await getRow(tx, sql.raw(`select count(*) as count from ${count}`), {
    count: number,
  });
  const found = await countWrong(tx, wrong);
  const detail = found ?? `${looked.count} ${count.replace(/^ledger_/, "").replaceAll("_", " ")}`;
  return { claim, holds: found === null, detail };
}

/** How many rows contradict a claim, and the first of them; null: none. */
export async function countWrong(tx: Tx, wrong: string): Promise<string | null> {
  const { count, first } = await getRow(
    tx,
    sql.raw(`select count(*) as count, min(what) as first from (${wrong}) wrong`),
    { count: number, first: orNull(text) },
  );
  return count === 0 ? null : `${count} wrong, first: ${first}`;
}
