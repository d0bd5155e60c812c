import { randomUUIDv7 } from "node:crypto";
import type { Db, Tx } from "../../platform/database.ts";
import { accountEvents } from "../schema.ts";

export interface AccountEvent {
  userId: string;
  /** A plain name in words and hyphens, for instance `password-changed`. Pages turn it into a sentence. */
  event: string;
  by: "self" | "staff" | "system";
  detail?: Record<string, string | number | boolean | null>;
  /** Where it was done from, if somebody's browser did it. */
  ipAddress?: string | null;
  userAgent?: string | null;
  now: Date;
}

/**
 * Writes down what happened to an account, for its owner to read; for good. What staff do to a customer is in
 * the audit log already and shown beside it.
 */
export async function recordAccountEvent(tx: Tx | Db, event: AccountEvent): Promise<void> {
  const { now, detail = {}, ipAddress = null, userAgent = null, ...rest } = event;
  await tx.insert(accountEvents).values({
    id: randomUUIDv7(),
    ...rest,
    detail,
    ipAddress,
    userAgent: userAgent?.slice(0, 300) ?? null,
    occurredAt: now,
  });
}
