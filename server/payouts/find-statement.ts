import { eq, sql } from "#server/platform/sql.ts";
import { auditLog, users } from "../identity/schema.ts";
import type { Db, Tx } from "../platform/database.ts";
import { poolStatements, pools } from "./schema.ts";

/** A statement without its bytes. */
export async function findStatement(db: Db | Tx, statementId: string) {
  const [statement] = await db
    .select({
      id: poolStatements.id,
      poolId: poolStatements.poolId,
      poolName: pools.name,
      format: pools.format,
      source: poolStatements.source,
      name: poolStatements.name,
      bytes: sql<number>`octet_length(${poolStatements.content})`,
      sha256: sql<string>`encode(${poolStatements.sha256}, 'hex')`,
      receivedAt: poolStatements.receivedAt,
      by: users.name,
    })
    .from(poolStatements)
    .innerJoin(pools, eq(pools.id, poolStatements.poolId))
    .leftJoin(auditLog, eq(auditLog.id, poolStatements.actionId))
    .leftJoin(users, eq(users.id, auditLog.operatorId))
    .where(eq(poolStatements.id, statementId));
  return statement ?? null;
}

/** What a pool said, byte for byte. */
export async function readStatementBytes(
  db: Db | Tx,
  statementId: string,
): Promise<Uint8Array | null> {
  const [row] = await db
    .select({ content: poolStatements.content })
    .from(poolStatements)
    .where(eq(poolStatements.id, statementId));
  return row?.content ?? null;
}
