import { randomInt, randomUUIDv7 } from "node:crypto";
import { coins } from "#core/asset.ts";
import type { StatementPeriod } from "#core/payments/statement-period.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { StatementEntry } from "./entry.ts";
import { openStatement, type StatementTotals, tallyStatement } from "./read-statement.ts";
import { issuedStatementCoins, issuedStatements } from "./schema.ts";

/** A printed statement lists so many entries; of a longer one the rest is in the CSV and JSON, under the same hash. */
const mostPrinted = 1000;

export interface IssuedStatement {
  code: string;
  issuedAt: Date;
  period: StatementPeriod;
  totals: StatementTotals;
  /** Oldest first, at most a thousand. */
  entries: StatementEntry[];
}

/**
 * Issues a customer's statement over a period as it stands, with a code by which anybody can check it. Asked for again
 * while nothing was added, it is the same statement with the same code; so it is for those who ask at once.
 *
 * Reads the ledger as of one moment.
 */
export async function issueStatement(
  db: Db,
  { customerId, period, now }: { customerId: string; period: StatementPeriod; now: Date },
): Promise<IssuedStatement> {
  const { totals, entries } = await db.transaction((tx) => sum(tx, customerId, period), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  return db.transaction(async (tx) => {
    const issued = await insertOnce(tx, { customerId, period, totals, now });
    return { ...issued, period, totals, entries };
  });
}

async function sum(tx: Tx, customerId: string, period: StatementPeriod) {
  const { opening, entries: all } = await openStatement(tx, customerId, period);
  const tally = tallyStatement(opening);
  const entries: StatementEntry[] = [];
  for await (const entry of all) {
    tally.add(entry);
    if (entries.length < mostPrinted) entries.push(entry);
  }
  return { totals: tally.totals(), entries };
}

interface Summed {
  customerId: string;
  period: StatementPeriod;
  totals: StatementTotals;
  now: Date;
}

async function insertOnce(
  tx: Tx,
  { customerId, period, totals, now }: Summed,
): Promise<{ code: string; issuedAt: Date }> {
  const id = randomUUIDv7();
  const code = newCode();
  const sha256 = Buffer.from(totals.sha256, "hex");
  const content = { customerId, period: period.kind, fromDay: period.fromDay, sha256 };
  const { throughDay } = period;
  const written = await tx
    .insert(issuedStatements)
    .values({ ...content, id, code, throughDay, entries: totals.entries, issuedAt: now })
    .onConflictDoNothing()
    .returning({ id: issuedStatements.id });
  if (written.length === 0) return findFirst(tx, content);
  await tx.insert(issuedStatementCoins).values(
    coins.map((asset) => {
      return { statementId: id, asset, ...totals.coins[asset] };
    }),
  );
  return { code, issuedAt: now };
}

async function findFirst(
  tx: Tx,
  content: Pick<
    typeof issuedStatements.$inferInsert,
    "customerId" | "period" | "fromDay" | "sha256"
  >,
) {
  const s = issuedStatements;
  const [first] = await tx
    .select({ code: s.code, issuedAt: s.issuedAt })
    .from(s)
    .where(
      and(
        eq(s.customerId, content.customerId),
        eq(s.period, content.period),
        eq(s.fromDay, content.fromDay),
        eq(s.sha256, content.sha256),
      ),
    );
  if (!first) throw new Error("what was in the way of the statement is not there");
  return first;
}

/** Without 0, O, 1 and I, which nobody can tell apart on paper. */
const signs = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

function newCode(): string {
  return Array.from({ length: 20 }, () => signs[randomInt(signs.length)]).join("");
}
