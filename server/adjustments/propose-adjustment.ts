import { randomUUIDv7 } from "node:crypto";
import type { Coin } from "#core/asset.ts";
import { isUuid } from "#core/is-uuid.ts";
import {
  type AdjustmentKind,
  adjustmentNoteMax,
  adjustmentReasonMax,
  feeCoinOf,
  isOutlay,
  maxAdjustmentUnits,
} from "#core/payments/adjustments.ts";
import { parseTxid } from "#core/payments/deposit.ts";
import { Refusal } from "#core/refusal.ts";
import { and, eq, sql } from "#server/platform/sql.ts";
import { findCustomer } from "../identity/account/find-customer.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db, Tx } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { sentBefore } from "../platform/sent-before.ts";
import { auditDetail } from "./adjustment.ts";
import { refusals } from "./refusals.ts";
import { adjustments } from "./schema.ts";
import { takeEvidence } from "./take-evidence.ts";

/** What moves: money given to a customer, the operator's own money paid in or taken out, or coins between own wallets. */
export interface Proposal {
  /** Minted with the form. The same key is the same proposal, however often it arrives. */
  submissionKey: string;
  kind: Exclude<AdjustmentKind, "reversal">;
  /** Null for what is the house's alone. */
  customerId: string | null;
  asset: Coin;
  units: bigint;
  /** One line, which the customer reads. */
  reason: string;
  /** Staff read it. */
  note: string;
  /** A draft of this operator, see `keepEvidence`. */
  evidenceId: string | null;
  /** The payment behind what is paid in, taken out or moved. */
  txid: string | null;
  /** What the network took for what we sent, in its own coin; missing: nothing was sent. */
  feeUnits?: bigint | null;
  /** Whether a node shows the transaction with this fee. */
  isOnChain?: boolean;
}

/**
 * Proposes an adjustment, which moves nothing until somebody else approves it. The same submission again is answered
 * as the first was.
 *
 * Refuses with adjustments/amount-out-of-range, adjustments/reason-missing, adjustments/too-long, adjustments/evidence-missing,
 * adjustments/evidence-not-found, adjustments/not-a-txid, adjustments/payment-already-counted, adjustments/batch-books-it,
 * adjustments/fee-missing, adjustments/no-such-customer, adjustments/account-closed, platform/sent-otherwise, and as
 * `actAsOperator` does.
 */
export async function proposeAdjustment(
  db: Db,
  operator: ActingOperator,
  proposal: Proposal,
  now: Date,
): Promise<{ adjustmentId: string; repeated: boolean }> {
  const checked = { ...proposal, ...check(proposal), reverses: null };
  return db.transaction(async (tx) => {
    const first = await findFirst(tx, operator, checked);
    if (first) return first;
    const { customerId, evidenceId } = checked;
    if (customerId !== null && !(isUuid(customerId) && (await findCustomer(tx, customerId)))) {
      throw new Refusal("adjustments/no-such-customer");
    }
    if (evidenceId !== null) await takeEvidence(tx, operator, evidenceId, now);
    return { adjustmentId: await insert(tx, operator, checked, now), repeated: false };
  });
}

/**
 * Proposes to take an approved adjustment back, whole. That too moves nothing until somebody else approves it.
 *
 * Refuses with adjustments/not-found, adjustments/not-reversible, adjustments/reversal-proposed,
 * adjustments/reason-missing, adjustments/too-long, platform/sent-otherwise, and as `actAsOperator` does.
 */
export async function proposeReversal(
  db: Db,
  operator: ActingOperator,
  reversal: { submissionKey: string; adjustmentId: string; reason: string; note: string },
  now: Date,
): Promise<{ adjustmentId: string; repeated: boolean }> {
  const { submissionKey, adjustmentId } = reversal;
  const words = checkWords(reversal);
  if (!isUuid(adjustmentId)) throw new Refusal("adjustments/not-found");
  return db.transaction(async (tx) => {
    const [original] = await tx.select().from(adjustments).where(eq(adjustments.id, adjustmentId));
    if (!original) throw new Refusal("adjustments/not-found");
    const { customerId, asset, units } = original;
    const proposal = {
      submissionKey,
      kind: "reversal" as const,
      customerId,
      asset,
      units,
      ...words,
      evidenceId: null,
      txid: null,
      feeUnits: null,
      isOnChain: false,
      reverses: adjustmentId,
    };
    const first = await findFirst(tx, operator, proposal);
    if (first) return first;
    if (original.state !== "approved" || original.kind === "reversal") {
      throw new Refusal("adjustments/not-reversible");
    }
    return { adjustmentId: await insert(tx, operator, proposal, now), repeated: false };
  });
}

type NewAdjustment = Omit<Proposal, "kind" | "feeUnits"> & {
  kind: AdjustmentKind;
  feeUnits: bigint | null;
  reverses: string | null;
};

function check(proposal: Proposal) {
  const { kind, asset, units, evidenceId } = proposal;
  if (units <= 0n || units > maxAdjustmentUnits[asset]) {
    throw new Refusal("adjustments/amount-out-of-range");
  }
  const isGift = kind === "goodwill" || kind === "subsidy";
  const needsEvidence = isGift || kind === "equity-drawing";
  if (needsEvidence && evidenceId === null) throw new Refusal("adjustments/evidence-missing");
  return {
    txid: isGift ? null : requireTxid(proposal),
    ...(isOutlay(kind) ? checkFee(proposal) : { feeUnits: null, isOnChain: false }),
    customerId: isGift ? (proposal.customerId ?? "") : null,
    ...checkWords(proposal),
  };
}

function requireTxid({ asset, txid: given }: Proposal): string {
  const txid = parseTxid(given ?? "", asset === "BTC" ? "Bitcoin" : "Ethereum");
  if (txid === null) throw new Refusal("adjustments/not-a-txid");
  return txid;
}

function checkFee({ kind, asset, feeUnits = null, isOnChain = false }: Proposal) {
  const isMissing = feeUnits === null || (kind === "wallet-transfer" && feeUnits === 0n);
  if (isMissing) throw new Refusal("adjustments/fee-missing");
  if (feeUnits < 0n || feeUnits > maxAdjustmentUnits[feeCoinOf(asset)] / 1000n) {
    throw new Refusal("adjustments/fee-out-of-range");
  }
  return { feeUnits, isOnChain };
}

function checkWords(words: { reason: string; note: string }) {
  const reason = words.reason.replace(/[\p{Cc}\s]+/gu, " ").trim();
  const note = words.note.trim();
  if (reason === "") throw new Refusal("adjustments/reason-missing");
  if (reason.length > adjustmentReasonMax || note.length > adjustmentNoteMax) {
    throw new Refusal("adjustments/too-long");
  }
  return { reason, note };
}

/** Equal submissions wait here for the first of them, and are answered as it was. */
async function findFirst(tx: Tx, operator: ActingOperator, proposal: NewAdjustment) {
  const { submissionKey } = proposal;
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended('adjustments.submission:' || ${submissionKey}, 0))`,
  );
  const [first] = await tx
    .select()
    .from(adjustments)
    .where(
      and(eq(adjustments.proposedBy, operator.id), eq(adjustments.submissionKey, submissionKey)),
    );
  // Who retries without JavaScript uploads the same file again: another draft. The node may have been asked later.
  const { evidenceId: _file, isOnChain: _asked, ...said } = proposal;
  return sentBefore(first, said) ? { adjustmentId: first.id, repeated: true } : null;
}

async function insert(tx: Tx, operator: ActingOperator, proposal: NewAdjustment, now: Date) {
  const id = randomUUIDv7();
  const { customerId } = proposal;
  const act = {
    act: "adjustments/propose" as const,
    subject: `adjustment:${id}`,
    ...(customerId !== null && { customerId }),
    detail: auditDetail(proposal),
    now,
  };
  await refusedBy(refusals, () =>
    actAsOperator(tx, operator, act, (inner, auditId) =>
      inner.insert(adjustments).values({
        ...proposal,
        id,
        proposedBy: operator.id,
        proposedByAct: auditId,
        proposedAt: now,
      }),
    ),
  );
  return id;
}
