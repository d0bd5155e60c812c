import { formatAmount } from "#core/money.ts";
import { count, type SQL, sql } from "#server/platform/sql.ts";
import type { Tx } from "../../platform/database.ts";
import { withdrawals } from "../schema.ts";

/** How many withdrawals these are, and their sum of each coin as text: `0.5 BTC, 20 USDT`, or `nothing`. Fees are part of it or not. */
export async function sumOfWithdrawals(
  tx: Tx,
  these: SQL | undefined,
  fees: "with fees" | "without fees",
): Promise<{ payments: number; amount: string }> {
  const { asset, units, feeUnits } = withdrawals;
  const rows = await tx
    .select({
      asset,
      count: count(),
      units: sql`sum(${fees === "with fees" ? units : sql`${units} - ${feeUnits}`})`.mapWith(units),
    })
    .from(withdrawals)
    .where(these)
    .groupBy(asset)
    .orderBy(asset);
  const amounts = rows.map((row) => `${formatAmount(row.units, row.asset)} ${row.asset}`);
  return {
    payments: rows.reduce((total, each) => total + each.count, 0),
    amount: amounts.join(", ") || "nothing",
  };
}
