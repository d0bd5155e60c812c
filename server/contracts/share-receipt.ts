import { randomBytes } from "node:crypto";
import { Refusal } from "#core/refusal.ts";
import { and, eq, isNull } from "#server/platform/sql.ts";
import type { Db, Tx } from "../platform/database.ts";
import { findContract } from "./find-contract.ts";
import { findReceiptLink } from "./find-receipt-link.ts";
import { receiptLinks } from "./schema.ts";

interface Which {
  customerId: string;
  contractId: string;
  /** UTC day, YYYY-MM-DD. */
  day: string;
}

/**
 * Makes the link that shows one receipt to whoever has it, without a name. There is one at a time; asking again answers
 * with the same.
 *
 * @throws Refusal `contracts/no-such-contract`
 */
export async function shareReceipt(db: Db, which: Which, now: Date): Promise<{ token: string }> {
  await requireOwner(db, which);
  const { contractId, day } = which;
  const token = randomBytes(16).toString("base64url");
  await db
    .insert(receiptLinks)
    .values({ token, contractId, day, createdAt: now })
    .onConflictDoNothing();
  return { token: (await findReceiptLink(db, { contractId, day })) ?? token };
}

/**
 * Takes the link of a receipt back: it shows nothing any more. Doing it twice is doing it once.
 *
 * @throws Refusal `contracts/no-such-contract`
 */
export async function unshareReceipt(db: Db, which: Which, now: Date): Promise<void> {
  await requireOwner(db, which);
  const { contractId, day } = which;
  const l = receiptLinks;
  await db
    .update(l)
    .set({ endedAt: now })
    .where(and(eq(l.contractId, contractId), eq(l.day, day), isNull(l.endedAt)));
}

async function requireOwner(db: Db | Tx, { customerId, contractId }: Which): Promise<void> {
  const contract = await findContract(db, customerId, contractId);
  if (!contract) throw new Refusal("contracts/no-such-contract");
}
