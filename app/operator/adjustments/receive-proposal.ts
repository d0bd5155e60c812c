import { randomUUID } from "node:crypto";
import { unlessRefused } from "#app/run-act.ts";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import type { Coin } from "#core/asset.ts";
import { parseAmount } from "#core/money.ts";
import { feeCoinOf, type OutlayKind } from "#core/payments/adjustments.ts";
import { parseTxid } from "#core/payments/deposit.ts";
import { chainOf } from "#core/payments/withdrawal.ts";
import { Refusal } from "#core/refusal.ts";
import { findDraftEvidence } from "#server/adjustments/find-draft-evidence.ts";
import type { DraftEvidence } from "#server/adjustments/keep-evidence.ts";
import { type Proposal, proposeAdjustment } from "#server/adjustments/propose-adjustment.ts";
import type { App } from "#server/app-context.ts";
import { findOutlay } from "#server/chain/find-outlay.ts";
import { findCustomerId } from "#server/console/customers/find-customer-facts.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import {
  type Refused,
  receiveEvidence,
  refusedAt,
  withEvidenceFault,
} from "../parts/receive-evidence.ts";
import {
  drawingSchema,
  fundingSchema,
  giftSchema,
  outlaySchema,
  unitsOf,
} from "./proposal-schema.ts";

/** The form again: what was typed and uploaded stays. */
export interface ProposalAnswer {
  result: FormReply;
  submissionKey: string;
  evidence: DraftEvidence | null;
}

/** Takes a proposal in, whole: the file first, so that it is kept even when a field is wrong. */
export async function receiveProposal(
  app: App,
  operator: Operator,
  request: Request,
  what: Proposable,
): Promise<{ adjustmentId: string } | { answer: ProposalAnswer; status: number }> {
  const { fields, fault } = await receiveEvidence(app, operator, request);
  const form = read(fields, what);
  let refused: Refused = { status: 400 };
  if (fault) refused = withEvidenceFault(fault, form.status === "error" ? form.error : null);
  else if (form.status === "success") {
    const { value } = form;
    const outcome = await unlessRefused(
      () => propose(app, operator, what, value),
      (refusal) => refusedAt(refusal, fields),
    );
    if ("adjustmentId" in outcome) return outcome;
    refused = outcome;
  }
  const { status, ...errors } = refused;
  const evidenceId = String(fields.get("evidenceId") ?? "");
  return {
    answer: {
      result: form.reply(errors),
      submissionKey: status === 409 ? randomUUID() : String(fields.get("submissionKey")),
      evidence: await findDraftEvidence(app.db, operator.id, evidenceId),
    },
    status,
  };
}

/** What the page's tabs propose. */
export type Proposable = "gift" | "equity-funding" | OutlayKind;

function read(fields: FormData, what: Proposable) {
  switch (what) {
    case "gift":
      return parseForm(fields, { schema: giftSchema });
    case "equity-funding":
      return parseForm(fields, { schema: fundingSchema });
    case "equity-drawing":
      return parseForm(fields, { schema: drawingSchema });
    default:
      return parseForm(fields, { schema: outlaySchema });
  }
}

type Fields = {
  submissionKey: string;
  coin: Proposal["asset"];
  amount: string;
  reason: string;
  note: string;
  evidenceId?: string | undefined;
} & ({ kind: "goodwill" | "subsidy"; customer: string } | { txid: string; fee?: string });

async function propose(
  app: App,
  operator: Operator,
  what: Proposable,
  fields: Fields,
): Promise<{ adjustmentId: string }> {
  const { db, now } = app;
  const { submissionKey, coin: asset, amount, reason, note, evidenceId = null } = fields;
  const units = unitsOf(asset, amount);
  if (units === null) throw new Error("the schema lets no such amount pass");
  const shared = { submissionKey, asset, units, reason, note, evidenceId };
  if ("txid" in fields) {
    const kind = what === "gift" ? "equity-funding" : what;
    const sent = kind === "equity-funding" ? {} : await readOutlay(app, kind, shared, fields);
    const own = { kind, customerId: null, txid: fields.txid, ...sent };
    return proposeAdjustment(db, operator, { ...shared, ...own }, now());
  }
  const customerId = await findCustomerId(db, fields.customer);
  if (!customerId) throw new Refusal("adjustments/no-such-customer");
  const gift = { kind: fields.kind, customerId, txid: null };
  return proposeAdjustment(db, operator, { ...shared, ...gift }, now());
}

/** A page does not wait longer for a node. */
const patienceMs = 5000;

/** The fee, as the chain shows it, or else as it was typed. What the chain contradicts is refused. */
async function readOutlay(
  { config }: App,
  kind: OutlayKind,
  { asset, units }: { asset: Coin; units: bigint },
  { txid: given, fee = "" }: { txid: string; fee?: string },
): Promise<{ feeUnits: bigint | null; isOnChain: boolean }> {
  const typed = fee === "" ? null : parseAmount(fee, feeCoinOf(asset));
  const chain = chainOf[asset];
  const txid = parseTxid(given, asset === "BTC" ? "Bitcoin" : "Ethereum") ?? "";
  const seen = await findOutlay(config, chain, txid, patienceMs).catch(() => null);
  if (!seen) return { feeUnits: typed, isOnChain: false };
  const takesOut = kind === "equity-drawing";
  if (seen.failed && takesOut) throw new Refusal("adjustments/transaction-failed");
  if (takesOut && seen.outputs && seen.outputs.reduce((sum, each) => sum + each, 0n) < units) {
    throw new Refusal("adjustments/amount-not-on-chain");
  }
  if (typed !== null && typed !== seen.feeUnits) throw new Refusal("adjustments/fee-differs");
  return { feeUnits: seen.feeUnits, isOnChain: true };
}
