import { allowMinutes, type Db, type Tx } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";
import { toRows } from "../to-rows.ts";
import type { JournalCheck } from "./ledger-check.ts";

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
  further?: (tx: Tx) => Promise<JournalCheck[]>,
): Promise<JournalCheck[]> {
  return db.transaction(
    async (tx) => {
      await allowMinutes(tx, verifiesWithinMinutes);
      const checks: JournalCheck[] = [];
      for (const claim of claims) checks.push(await verifyClaim(tx, claim));
      return [...checks, ...((await further?.(tx)) ?? [])];
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function verifyClaim(tx: Tx, { claim, count, wrong }: Claim): Promise<JournalCheck> {
  const [looked] = await toRows<{ count: string }>(
    tx,
    sql.raw(`select count(*) as count from ${count}`),
  );
  const [found] = await toRows<{ count: string; first: string | null }>(
    tx,
    sql.raw(`select count(*) as count, min(what) as first from (${wrong}) wrong`),
  );
  const holds = found?.count === "0";
  const detail = holds
    ? `${looked?.count} ${count.replace(/^ledger_/, "").replaceAll("_", " ")}`
    : `${found?.count} wrong, first: ${found?.first}`;
  return { claim, holds, detail };
}
