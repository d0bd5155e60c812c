import { createHash, randomUUIDv7 } from "node:crypto";
import { isUuid } from "#core/is-uuid.ts";
import {
  type PaymentResolution,
  type Resolution,
  resolutionTerms,
} from "#core/payments/payment-resolution.ts";
import { Refusal } from "#core/refusal.ts";
import { eq, sql } from "#server/platform/sql.ts";
import { markResolved } from "../../chain/settle-payment.ts";
import { settleJob } from "../../chain/watch-chain.ts";
import { actAsOperator, type StaffAct } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { findDepositForReview } from "../find-deposit-for-review.ts";
import { resolutionRefusals } from "../refusals.ts";
import { deposits, paymentResolutions, resolvedPayments } from "../schema.ts";
import {
  findPaymentToResolve,
  listSimilarPayments,
  type PaymentToResolve,
} from "./find-payment-to-resolve.ts";

const r = paymentResolutions;

/** One resolution takes so many payments at most: what is left of a flood of dust is the next one. */
const together = 5_000;

interface Wanted {
  paymentId: string;
  says: PaymentResolution;
  reason: string;
  /** All payments at the same address that were refused for the same reason. */
  withSimilar: boolean;
}

/**
 * Says of a payment whose it is: the customer's, the operator's own, or nobody's that can be credited (set aside). Nothing happens
 * before somebody else confirms it.
 *
 * @throws Refusal `deposits/no-such-payment`, `deposits/reason-missing`, `deposits/resolved-already`, `deposits/credited-already`,
 * `deposits/approved-together`, and as `actAsOperator` does
 */
export async function proposePaymentResolution(
  db: Db,
  operator: ActingOperator,
  { paymentId, says, withSimilar, ...wanted }: Wanted,
  now: Date,
): Promise<void> {
  const reason = checkReason(wanted.reason);
  await refusedBy(resolutionRefusals, () =>
    db.transaction(async (tx) => {
      const payment = await getPayment(tx, paymentId);
      const all = withSimilar ? await listSimilarPayments(tx, payment, together) : [paymentId];
      const resolutionId = randomUUIDv7();
      const act = {
        act: "deposits/propose-resolution" as const,
        subject: `payment-resolution:${resolutionId}`,
        now,
        ...aboutPayment(payment, { says, reason, ...countOf(all) }),
      };
      await actAsOperator(tx, operator, act, async (inner, proposedByAct) => {
        const proposed = { proposedBy: operator.id, proposedByAct, proposedAt: now };
        await inner.insert(r).values({ id: resolutionId, says, reason, ...proposed });
        await inner.execute(sql`
          insert into resolved_payments (resolution_id, payment_id)
          select ${resolutionId}::uuid, id from unnest(${sql.param(all)}::uuid[]) wanted (id) order by id`);
      });
    }),
  );
}

/**
 * Says that staff approved a deposit by mistake, for instance with a wrong amount or for the wrong customer. Nothing happens before
 * somebody else confirms it; then it is taken back whole (`takeBackMistake`). The customer reads the reason.
 *
 * @throws Refusal `deposits/not-found`, `deposits/reason-missing`, `deposits/resolved-already`, `deposits/not-approved-by-staff`, and
 * as `actAsOperator` does
 */
export async function proposeMistake(
  db: Db,
  operator: ActingOperator,
  { depositId, ...wanted }: { depositId: string; reason: string },
  now: Date,
): Promise<void> {
  const reason = checkReason(wanted.reason);
  await refusedBy(resolutionRefusals, () =>
    db.transaction(async (tx) => {
      const says = "mistaken" as const;
      const resolutionId = randomUUIDv7();
      const act = {
        act: "deposits/propose-resolution" as const,
        subject: `payment-resolution:${resolutionId}`,
        now,
        ...(await aboutDeposit(tx, depositId, { says, reason })),
      };
      await actAsOperator(tx, operator, act, async (inner, proposedByAct) => {
        const proposed = { proposedBy: operator.id, proposedByAct, proposedAt: now };
        await inner.insert(r).values({ id: resolutionId, says, depositId, reason, ...proposed });
      });
    }),
  );
}

/**
 * Confirms, or declines, what was said of payments or of a deposit. Only somebody else confirms; what one said oneself can be taken back.
 * What is confirmed is carried out with the next pass over the payments. Decided twice in the same way, it is decided once.
 *
 * @throws Refusal `deposits/no-such-resolution`, `deposits/own-resolution`, `deposits/credited-already` when the payment was credited since
 * and it is not said to be the operator's, `deposits/not-approved-by-staff` when the deposit was taken back since,
 * `deposits/proposer-left`, and as `actAsOperator` does
 */
export async function decidePaymentResolution(
  db: Db,
  operator: ActingOperator,
  { resolutionId, into }: { resolutionId: string; into: "confirmed" | "declined" },
  now: Date,
): Promise<void> {
  if (!isUuid(resolutionId)) throw new Refusal("deposits/no-such-resolution");
  await refusedBy(resolutionRefusals, () =>
    db.transaction(async (tx) => {
      const isThis = eq(r.id, resolutionId);
      const [said] = await tx.select().from(r).where(isThis).for("update");
      if (said?.state === into && said.decidedBy === operator.id) return;
      if (said?.state !== "open") throw new Refusal("deposits/no-such-resolution");
      const paymentIds = await listResolved(tx, resolutionId);
      const verb = into === "confirmed" ? "confirm" : "decline";
      const act = {
        act: `deposits/${verb}-resolution` as const,
        subject: `payment-resolution:${resolutionId}`,
        now,
        ...(await aboutResolution(tx, said, paymentIds)),
      };
      await actAsOperator(tx, operator, act, async (inner, decidedByAct) => {
        const decided = { decidedBy: operator.id, decidedByAct, decidedAt: now };
        await inner
          .update(r)
          .set({ state: into, ...decided })
          .where(isThis);
        if (into === "declined") return;
        await carryOut(inner, said, paymentIds);
        await enqueue(inner, settleJob, {}, { key: settleJob });
      });
    }),
  );
}

type Said = typeof r.$inferSelect;

/** What both acts on a resolution say that it is about. */
async function aboutResolution(tx: Tx, { says, reason, depositId }: Said, paymentIds: string[]) {
  if (depositId !== null) return aboutDeposit(tx, depositId, { says, reason });
  const [first = ""] = paymentIds;
  return aboutPayment(await getPayment(tx, first), { says, reason, ...countOf(paymentIds) });
}

/** Marks what a confirmed resolution is about; the next pass over payments does the rest. */
async function carryOut(
  tx: Tx,
  { id: resolutionId, says, depositId }: Said,
  paymentIds: string[],
): Promise<void> {
  if (says !== "mistaken") await markResolved(tx, { paymentIds, resolutionId, resolvedAs: says });
  else
    await tx
      .update(deposits)
      .set({ resolutionId })
      .where(eq(deposits.id, depositId ?? ""));
}

function checkReason(text: string): string {
  const reason = text.trim();
  if (reason === "" || reason.length > resolutionTerms.reasonMax) {
    throw new Refusal("deposits/reason-missing");
  }
  return reason;
}

async function aboutDeposit(
  tx: Tx,
  depositId: string,
  said: { says: Resolution; reason: string },
): Promise<Pick<StaffAct, "customerId" | "detail">> {
  const deposit = await findDepositForReview(tx, depositId);
  if (!deposit) throw new Refusal("deposits/not-found");
  const { txid, outputIndex, asset, quantityUnits, customerId } = deposit;
  const units = `${quantityUnits ?? 0n}`;
  return { detail: { depositId, txid, outputIndex, asset, units, ...said }, customerId };
}

async function getPayment(tx: Tx, paymentId: string): Promise<PaymentToResolve> {
  const found = await findPaymentToResolve(tx, paymentId);
  if (!found) throw new Refusal("deposits/no-such-payment");
  return found;
}

function aboutPayment(
  { txid, outputIndex, address, asset, units, customerId }: PaymentToResolve,
  said: { says: Resolution; reason: string } & ReturnType<typeof countOf>,
): Pick<StaffAct, "customerId" | "detail"> {
  const detail = { txid, outputIndex, address, asset, units: `${units}`, ...said };
  return { detail, ...(customerId && { customerId }) };
}

/** How many payments, and which: enough that whoever confirms has confirmed these and no others. */
function countOf(paymentIds: string[]) {
  const sha256 = createHash("sha256").update(paymentIds.toSorted().join("\n")).digest("hex");
  return { payments: paymentIds.length, sha256OfPayments: sha256 };
}

async function listResolved(tx: Tx, resolutionId: string): Promise<string[]> {
  const rows = await tx
    .select({ paymentId: resolvedPayments.paymentId })
    .from(resolvedPayments)
    .where(eq(resolvedPayments.resolutionId, resolutionId))
    .orderBy(resolvedPayments.paymentId);
  return rows.map(({ paymentId }) => paymentId);
}
