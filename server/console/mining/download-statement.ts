import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { findStatement, readStatementBytes } from "#server/payouts/find-statement.ts";
import type { Db } from "#server/platform/database.ts";

/** Takes a pool's statement away as it came, and writes down that this was done. Null when there is none. */
export async function downloadStatement(
  db: Db,
  operator: ActingOperator,
  statementId: string,
  now: Date,
): Promise<{ name: string; content: Uint8Array } | null> {
  const statement = await findStatement(db, statementId);
  if (!statement) return null;
  const { name, sha256 } = statement;
  const act = {
    act: "payouts/download-statement" as const,
    subject: `statement:${statement.id}`,
    detail: { name, sha256 },
    now,
  };
  return actAsOperator(db, operator, act, async (tx) => {
    const content = await readStatementBytes(tx, statement.id);
    return content && { name, content };
  });
}
