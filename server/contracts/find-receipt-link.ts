import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { receiptLinks } from "./schema.ts";

/** The open link of a receipt; null while it is not shared. Who may ask is the caller's to know. */
export async function findReceiptLink(
  db: Db | Tx,
  { contractId, day }: { contractId: string; day: string },
): Promise<string | null> {
  const l = receiptLinks;
  const [link] = await db
    .select({ token: l.token })
    .from(l)
    .where(and(eq(l.contractId, contractId), eq(l.day, day), isNull(l.endedAt)));
  return link?.token ?? null;
}

/** Which receipt a link shows; `taken-back` when its owner ended it, null when there is no such link. */
export async function findSharedReceipt(
  db: Db | Tx,
  token: string,
): Promise<{ contractId: string; day: string } | "taken-back" | null> {
  if (!/^[\w-]{22}$/.test(token)) return null;
  const l = receiptLinks;
  const [link] = await db
    .select({ contractId: l.contractId, day: l.day, endedAt: l.endedAt })
    .from(l)
    .where(eq(l.token, token));
  if (!link) return null;
  return link.endedAt ? "taken-back" : { contractId: link.contractId, day: link.day };
}
