import type { Coin } from "#core/asset.ts";
import type { StatementPeriod } from "#core/payments/statement-period.ts";
import { asc, eq } from "#server/platform/sql.ts";
import type { Db } from "../platform/database.ts";
import { issuedStatementCoins, issuedStatements } from "./schema.ts";

/** What anybody who holds a printed statement may know of it: its figures, and no name. */
export interface CheckedStatement {
  code: string;
  period: StatementPeriod;
  entries: number;
  /** Hexadecimal. */
  sha256: string;
  issuedAt: Date;
  coins: Array<{
    asset: Coin;
    openingUnits: bigint;
    inUnits: bigint;
    outUnits: bigint;
    closingUnits: bigint;
  }>;
}

/** The statement with this code, however its letters were typed; null when none was issued. */
export async function findStatementByCode(db: Db, typed: string): Promise<CheckedStatement | null> {
  const code = typed.toUpperCase().replace(/[\s-]/g, "");
  if (!/^[2-9A-HJ-NP-Z]{20}$/.test(code)) return null;
  const s = issuedStatements;
  const [found] = await db.select().from(s).where(eq(s.code, code));
  if (!found) return null;
  const c = issuedStatementCoins;
  const coins = await db
    .select({
      asset: c.asset,
      openingUnits: c.openingUnits,
      inUnits: c.inUnits,
      outUnits: c.outUnits,
      closingUnits: c.closingUnits,
    })
    .from(c)
    .where(eq(c.statementId, found.id))
    .orderBy(asc(c.asset));
  const { period: kind, fromDay, throughDay, entries, sha256, issuedAt } = found;
  return {
    code,
    entries,
    issuedAt,
    coins,
    period: { kind, fromDay, throughDay },
    sha256: Buffer.from(sha256).toString("hex"),
  };
}
