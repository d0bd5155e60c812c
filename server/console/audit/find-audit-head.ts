import { auditChain } from "#server/identity/schema.ts";
import type { Db } from "#server/platform/database.ts";
import { desc } from "#server/platform/sql.ts";
import { inHex } from "./list-audit-log.ts";

/** The newest link of the audit log's chain: whoever keeps it can tell whether anything before it was changed. */
export async function findAuditHead(db: Db): Promise<{ link: number; hash: string } | null> {
  const [head] = await db
    .select({ link: auditChain.link, hash: inHex(auditChain.hash) })
    .from(auditChain)
    .orderBy(desc(auditChain.link))
    .limit(1);
  return head ?? null;
}
