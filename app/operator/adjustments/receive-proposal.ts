import { randomUUID } from "node:crypto";
import type { SubmissionResult } from "@conform-to/react";
import { parseForm } from "#app/ui/parse-form.ts";
import { Refusal } from "#core/refusal.ts";
import type { DraftEvidence } from "#server/adjustments/keep-evidence.ts";
import { type Proposal, proposeAdjustment } from "#server/adjustments/propose-adjustment.ts";
import { findDraftEvidence } from "#server/adjustments/queries.ts";
import type { App } from "#server/app-context.ts";
import { findCustomerId } from "#server/console/customers/queries.ts";
import type { Operator } from "#server/identity/operator.ts";
import { receiveEvidence, type Said, withEvidenceFault } from "../receive-evidence.ts";
import { fundingSchema, giftSchema, unitsOf } from "./proposal-schema.ts";
import { refusalText } from "./refusal-text.ts";

/** The form again: what was typed and uploaded stays. */
export interface ProposalAnswer {
  result: SubmissionResult<string[]>;
  submissionKey: string;
  evidence: DraftEvidence | null;
}

/** Takes a proposal in, whole: the file first, so that it is kept even when a field is wrong. */
export async function receiveProposal(
  app: App,
  operator: Operator,
  request: Request,
  isFunding: boolean,
): Promise<{ adjustmentId: string } | { answer: ProposalAnswer; status: number }> {
  const { fields, fault } = await receiveEvidence(app, operator, request);
  const form = isFunding
    ? parseForm(fields, { schema: fundingSchema })
    : parseForm(fields, { schema: giftSchema });
  let said: Said = { status: 400 };
  if (fault) said = withEvidenceFault(fault, form.status === "error" ? form.error : null);
  else if (form.status === "success") {
    const outcome = await propose(app, operator, form.value);
    if ("adjustmentId" in outcome) return outcome;
    said = outcome;
  }
  const { status, ...errors } = said;
  const evidenceId = String(fields.get("evidenceId") ?? "");
  return {
    answer: {
      result: form.reply(errors),
      submissionKey: said.status === 409 ? randomUUID() : String(fields.get("submissionKey")),
      evidence: await findDraftEvidence(app.db, operator.id, evidenceId),
    },
    status,
  };
}

type Fields = {
  submissionKey: string;
  coin: Proposal["asset"];
  amount: string;
  reason: string;
  note: string;
  evidenceId?: string | undefined;
} & ({ kind: "goodwill" | "subsidy"; customer: string } | { txid: string });

async function propose(
  { db, now }: App,
  operator: Operator,
  fields: Fields,
): Promise<{ adjustmentId: string } | Said> {
  const { submissionKey, coin: asset, amount, reason, note, evidenceId = null } = fields;
  const units = unitsOf(asset, amount);
  if (units === null) throw new Error("the schema lets no such amount pass");
  const shared = { submissionKey, asset, units, reason, note, evidenceId };
  try {
    if ("txid" in fields) {
      const funding = { kind: "equity-funding" as const, customerId: null, txid: fields.txid };
      return await proposeAdjustment(db, operator, { ...shared, ...funding }, now());
    }
    const customerId = await findCustomerId(db, fields.customer);
    if (!customerId) throw new Refusal("adjustments/no-such-customer");
    const gift = { kind: fields.kind, customerId, txid: null };
    return await proposeAdjustment(db, operator, { ...shared, ...gift }, now());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return saidAt(error);
  }
}

const places: Record<string, string> = {
  "adjustments/no-such-customer": "customer",
  "adjustments/account-closed": "customer",
  "adjustments/evidence-missing": "evidence",
  "adjustments/evidence-not-found": "evidence",
  "adjustments/payment-already-counted": "txid",
  "adjustments/not-a-txid": "txid",
  "adjustments/amount-out-of-range": "amount",
};

function saidAt({ code }: Refusal): Said {
  const text = refusalText(code);
  const place = places[code];
  const status = code === "adjustments/submission-key-reused" ? 409 : 400;
  return place ? { status, fieldErrors: { [place]: [text] } } : { status, formErrors: [text] };
}
