import { randomUUIDv7 } from "node:crypto";
import { isApproval, isSensitive, may, type Permission } from "#core/permissions.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq } from "#server/platform/sql.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { auditLog, operators, passkeys } from "../schema.ts";
import type { ActingOperator } from "../staff/operator.ts";
import { isFresh } from "../step-up/proof.ts";
import { approveWithPasskey, type KeptSignature } from "./approve-with-passkey.ts";

interface Act {
  /** What it was done to, for instance `deposit:019a…`. */
  subject: string;
  /** The customer whom it touches. */
  customerId?: string;
  detail: Record<string, string | number | boolean | null>;
  now: Date;
}

export interface StaffAct extends Act {
  /** Room and verb, for instance `deposits/approve`; the permission that it needs has the same name. */
  act: Permission;
}

interface SystemAct extends Act {
  /** Room and verb, as for staff. Who holds the machine needs no permission. */
  act: string;
}

/** Between a page that found the second factor fresh and the act that asks again lies the page's own work. */
const graceMs = 60_000;

/**
 * Does something as a member of staff: writes it into the audit log and does it, in one transaction.
 * The act gets the audit row's id, which the tables that it changes keep.
 *
 * Locks the operator's row for the length of the act, so that nobody acts while being suspended or given another role.
 *
 * @throws Refusal `identity/operator-not-active`, `identity/not-permitted` when the operator's role lacks the act,
 *   `identity/mfa-not-fresh` when the act is sensitive and the second factor was shown too long ago, or as
 *   `approveWithPasskey` does when it is an approval
 */
export async function actAsOperator<T>(
  db: Db | Tx,
  operator: ActingOperator,
  act: StaffAct,
  doIt: (tx: Tx, auditId: string) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const [active] = await tx
      .select({ role: operators.role })
      .from(operators)
      .where(and(eq(operators.id, operator.id), eq(operators.state, "active")))
      .for("share");
    if (!active) throw new Refusal("identity/operator-not-active");
    if (!may(active.role, act.act)) throw new Refusal("identity/not-permitted");
    const detail = { ...act.detail, ...(await prove(tx, operator, act)) };
    const auditId = await recordAct(tx, {
      ...act,
      detail,
      operatorId: operator.id,
      requestId: operator.requestId,
    });
    return doIt(tx, auditId);
  });
}

/**
 * Asks an approval for the person's passkey, and what is sensitive for a second factor that was shown lately. What the audit row
 * says of it: the signature, or that whoever approves has no passkey and showed a code.
 */
async function prove(
  tx: Tx,
  operator: ActingOperator,
  { act, customerId, subject, detail, now }: StaffAct,
): Promise<{ passkey: KeptSignature } | { approvedWith: "code" } | null> {
  const isFreshNow = isFresh(operator.provedAt, new Date(now.getTime() - graceMs));
  const isSigned = isApproval(act) && (await hasPasskey(tx, operator.id));
  // The page left the question to the act, which turned out to be another one: two owners propose what one does.
  if (isSigned || (isSensitive(act) && !isFreshNow && operator.approval)) {
    const by = { operatorId: operator.id, customerId: customerId ?? null };
    const approved = { act, ...by, subject, detail };
    return { passkey: await approveWithPasskey(tx, operator.approval, approved, now) };
  }
  if (isSensitive(act) && !isFreshNow) throw new Refusal("identity/mfa-not-fresh");
  return isApproval(act) ? { approvedWith: "code" } : null;
}

async function hasPasskey(tx: Tx, userId: string): Promise<boolean> {
  const own = await tx
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .limit(1);
  return own.length > 0;
}

/**
 * Writes down a command that somebody ran on the server itself: no operator is known, the machine's owner is. PostgreSQL takes such an
 * act from the login that owns the tables, and knows which acts these are (`only_the_server_acts_without_a_person`).
 */
export async function actAsSystem<T>(
  db: Db | Tx,
  act: SystemAct,
  doIt: (tx: Tx, auditId: string) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const auditId = await recordAct(tx, { ...act, operatorId: null, requestId: null });
    return doIt(tx, auditId);
  });
}

async function recordAct(
  tx: Tx,
  act: Omit<SystemAct, "detail"> & {
    detail: Record<string, unknown>;
    operatorId: string | null;
    requestId: string | null;
  },
): Promise<string> {
  const id = randomUUIDv7();
  const { now, customerId = null, ...rest } = act;
  await tx.insert(auditLog).values({ id, ...rest, customerId, occurredAt: now });
  return id;
}
