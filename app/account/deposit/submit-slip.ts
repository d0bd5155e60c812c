import { randomUUID } from "node:crypto";
import { errorsOf, sayFrom, unlessRefused } from "#app/run-act.ts";
import { parseForm, type Submission } from "#app/ui/forms/parse-form.ts";
import { parseAmount } from "#core/money.ts";
import type { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import { findDraftSlip } from "#server/deposits/slips/find-draft-slip.ts";
import { slipMethods } from "#server/deposits/slips/slip-methods.ts";
import { submitDeposit } from "#server/deposits/submit-deposit.ts";
import { deposits, keyReusedWords, noSlipNeeded, slipRefusalWords } from "../refusals/deposits.ts";
import type { DepositAnswer } from "./deposit-answer.ts";
import { depositFormSchema } from "./deposit-form-schema.ts";
import { receiveSlip } from "./receive-slip.ts";

type Answer = Extract<DepositAnswer, { kind: "saved" | "refused" }>;
type Refused = { fieldErrors?: Record<string, string[]>; formErrors?: string[]; status: number };

/** Takes the slip form in, whole: the slip first, so that it is kept even when a field is wrong. */
export async function submitSlip(
  app: App,
  request: Request,
  customerId: string,
): Promise<{ answer: Answer; status: number; scripted: boolean }> {
  const { fields, slip, refusal } = await receiveSlip(app, request, customerId);
  if (slip) fields.set("slipId", slip.slipId);
  const scripted = fields.get("by") === "script";
  const form = parseForm(fields, { schema: depositFormSchema });
  const refused = refusal
    ? refusedSlip(refusal, form)
    : form.status === "success"
      ? await declare(app, customerId, form.value)
      : { status: 400 };
  if (!refused) {
    const reply = form.reply({ resetForm: true });
    return {
      answer: { kind: "saved", reply, submissionKey: randomUUID(), slip: null },
      status: 200,
      scripted,
    };
  }
  const { status, ...errors } = refused;
  const used = refused.formErrors?.includes(keyReusedWords);
  const answer: Answer = {
    kind: "refused",
    reply: form.reply(errors),
    submissionKey: used ? randomUUID() : keyOf(fields),
    slip: await findDraftSlip(app.db, customerId, String(fields.get("slipId"))),
  };
  return { answer, status, scripted };
}

type Form = Submission<{
  submissionKey: string;
  amount: string;
  method: "Bitcoin" | "Ethereum" | "USDT";
  slipId?: string | undefined;
  slip?: File | undefined;
}>;

/** The slip's own trouble takes the place of "please choose one". */
function refusedSlip(refusal: Refusal, form: Form): Refused {
  const words = slipRefusalWords(refusal.code);
  if (!words) throw refusal;
  const others = form.status === "error" ? (form.error ?? {}) : {};
  const kept = Object.entries(others).filter(([, errors]) => errors !== null);
  return {
    status: words.status,
    fieldErrors: { ...(Object.fromEntries(kept) as Record<string, string[]>), slip: [words.text] },
  };
}

type Fields = Extract<Form, { status: "success" }>["value"];

/** Null when it is declared, now or by an equal submission before. */
async function declare(app: App, customerId: string, fields: Fields): Promise<Refused | null> {
  const claimedUsdCents = parseAmount(fields.amount, "USD");
  if (claimedUsdCents === null || !fields.slipId)
    throw new Error("the schema lets no such form pass");
  const { submissionKey, method, slipId } = fields;
  if (!slipMethods(app.config).includes(method)) {
    return { status: 409, fieldErrors: { method: [noSlipNeeded] } };
  }
  const submission = { customerId, submissionKey, claimedUsdCents, method, slipId };
  return unlessRefused(
    async () => {
      await submitDeposit(app.db, submission, app.now());
      return null;
    },
    (refusal) => {
      const said = sayDeposit(refusal);
      if (!said) throw refusal;
      return { status: said.status, ...errorsOf(said, new Set(["slip"])) };
    },
  );
}

const sayDeposit = sayFrom(deposits);

function keyOf(fields: FormData): string {
  const key = fields.get("submissionKey");
  return typeof key === "string" && key !== "" ? key : randomUUID();
}
