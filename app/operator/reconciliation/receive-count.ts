import { randomUUID } from "node:crypto";
import { unlessRefused } from "#app/run-act.ts";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { Refusal } from "#core/refusal.ts";
import { findDraftEvidence } from "#server/adjustments/find-draft-evidence.ts";
import type { DraftEvidence } from "#server/adjustments/keep-evidence.ts";
import type { App } from "#server/app-context.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { enterCount } from "#server/reconciliation/enter-count.ts";
import {
  type Refused,
  receiveEvidence,
  refusedAt,
  withEvidenceFault,
} from "../parts/receive-evidence.ts";
import { countForm } from "../refusals/reconciliation.ts";
import { sayWith } from "../refusals/say-refusal.ts";
import { countSchema, momentOf, unitsOf } from "./count-schema.ts";

/** The form again: what was typed and uploaded stays. */
export interface CountAnswer {
  result: FormReply;
  submissionKey: string;
  evidence: DraftEvidence | null;
}

/** Takes a count in, whole: the file first, so that it is kept even when a field is wrong. */
export async function receiveCount(
  app: App,
  operator: Operator,
  request: Request,
): Promise<{ countId: string } | { answer: CountAnswer; status: number }> {
  const { fields, fault } = await receiveEvidence(app, operator, request);
  const form = parseForm(fields, { schema: countSchema });
  let refused: Refused = { status: 400 };
  if (fault) refused = withEvidenceFault(fault, form.status === "error" ? form.error : null);
  else if (form.status === "success") {
    const { value } = form;
    const outcome = await unlessRefused(
      () => enter(app, operator, value),
      (refusal) => refusedAt(refusal, fields, sayWith(countForm)),
    );
    if ("countId" in outcome) return outcome;
    refused = outcome;
  }
  const { status, ...errors } = refused;
  const answer = {
    result: form.reply(errors),
    submissionKey: status === 409 ? randomUUID() : String(fields.get("submissionKey")),
    evidence: await findDraftEvidence(app.db, operator.id, String(fields.get("evidenceId") ?? "")),
  };
  return { answer, status };
}

interface Fields {
  submissionKey: string;
  coin: "BTC" | "ETH" | "USDT";
  amount: string;
  asOf: string;
  block?: string | undefined;
  wallets: string;
  evidenceId?: string | undefined;
}

async function enter(
  { db, now }: App,
  operator: Operator,
  fields: Fields,
): Promise<{ countId: string }> {
  const { submissionKey, coin: asset, amount, block, wallets, evidenceId } = fields;
  const units = unitsOf(asset, amount);
  const asOf = momentOf(fields.asOf);
  if (units === null || asOf === null) throw new Error("the schema lets no such count pass");
  if (!evidenceId) throw new Refusal("adjustments/evidence-missing");
  const blockHeight = block ? Number(block) : null;
  const count = { submissionKey, asset, units, asOf, blockHeight, wallets, evidenceId };
  return enterCount(db, operator, count, now());
}
