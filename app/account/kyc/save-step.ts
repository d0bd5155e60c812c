import { errorsOf, sayFrom, unlessRefused } from "#app/run-act.ts";
import { type FormReply, parseForm, type Submission } from "#app/ui/forms/parse-form.ts";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { type DocumentPurpose, documentPurposes } from "#core/people/kyc.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import type { App } from "#server/app-context.ts";
import type { Browser } from "#server/kyc/browser.ts";
import { chooseIdentity } from "#server/kyc/choose-identity.ts";
import { chooseSecondProof } from "#server/kyc/choose-second-proof.ts";
import { keepDocument } from "#server/kyc/keep-document.ts";
import { saveDetails } from "#server/kyc/save-details.ts";
import { stateResidence } from "#server/kyc/state-residence.ts";
import { submitKyc } from "#server/kyc/submit-kyc.ts";
import { type ReceivedForm, readUpload } from "#server/platform/files/read-upload.ts";
import { kyc } from "../refusals/kyc.ts";
import { detailsSchema, identitySchema, residenceSchema, secondProofSchema } from "./schemas.ts";

/** What a step's form is told when it was not saved, with what was typed. */
export interface StepAnswer {
  step: string;
  result: FormReply;
  status: number;
}

interface Sender extends Browser {
  customerId: string;
}

/** Takes in the form of one step. Answers what to say once it is saved, or what is wrong with it. */
export async function saveStep(
  app: App,
  request: Request,
  sender: Sender,
): Promise<{ saved: FlashKey } | { answer: StepAnswer }> {
  const upload = { account: sender.customerId, field: "file", maxBytes: terms.slipMaxBytes };
  return readUpload(request, upload, (form) => saveForm(app, form, sender));
}

async function saveForm(
  app: App,
  form: ReceivedForm,
  sender: Sender,
): Promise<{ saved: FlashKey } | { answer: StepAnswer }> {
  const step = String(form.fields.get("step") ?? "");
  const purpose = documentPurposes.find((each) => each === step);
  if (purpose) return saveFile(app, form, sender, purpose);
  const { fields } = form;
  const now = app.now();
  const { customerId } = sender;
  switch (step) {
    case "residence":
      return save({ step, fields }, parseForm(fields, { schema: residenceSchema }), ({ country }) =>
        stateResidence(app.db, { ...sender, country }, now),
      );
    case "personal-details":
      return save({ step, fields }, parseForm(fields, { schema: detailsSchema }), (typed) =>
        saveDetails(app.db, customerId, withNulls(typed), now),
      );
    case "identity-kind":
      return save({ step, fields }, parseForm(fields, { schema: identitySchema }), (typed) =>
        chooseIdentity(
          app.db,
          customerId,
          { kind: typed.kind, expiresOn: typed.expiresOn ?? null },
          now,
        ),
      );
    case "second-kind":
      return save({ step, fields }, parseForm(fields, { schema: secondProofSchema }), (typed) =>
        chooseSecondProof(app.db, customerId, typed.secondProof, now),
      );
    case "submit": {
      const outcome = await refusedOr({ step, fields }, null, () => submitKyc(app, sender, now));
      return outcome ?? { saved: "kyc-submitted" };
    }
    default:
      throw new Response(null, { status: 400, statusText: "Bad Request" });
  }
}

async function save<T>(
  { step, fields }: Sent,
  submission: Submission<T>,
  act: (value: T) => Promise<unknown>,
): Promise<{ saved: FlashKey } | { answer: StepAnswer }> {
  if (submission.status !== "success") {
    return { answer: { step, result: submission.reply(), status: 400 } };
  }
  const { value } = submission;
  return (
    (await refusedOr({ step, fields }, submission, () => act(value))) ?? {
      saved: "kyc-saved",
    }
  );
}

async function saveFile(
  app: App,
  { fields, file, refusal }: ReceivedForm,
  sender: Sender,
  purpose: DocumentPurpose,
): Promise<{ saved: FlashKey } | { answer: StepAnswer }> {
  const outcome = await refusedOr({ step: purpose, fields }, null, async () => {
    if (refusal) throw refusal;
    if (!file) throw new Refusal("files/none");
    await keepDocument(app, { ...sender, purpose, file }, app.now());
  });
  return outcome ?? { saved: "document-kept" };
}

/** Which step's form came, and its fields; a file stays out of them. */
interface Sent {
  step: string;
  fields: FormData;
}

async function refusedOr(
  { step, fields }: Sent,
  submission: Pick<Submission<unknown>, "reply"> | null,
  act: () => Promise<unknown>,
): Promise<{ answer: StepAnswer } | null> {
  return unlessRefused(
    async () => {
      await act();
      return null;
    },
    (refusal) => {
      const said = sayStep(refusal);
      if (!said) throw refusal;
      const has = (name: string) => name === "file" || fields.has(name);
      const errors = errorsOf(said, { has });
      const { fieldErrors, formErrors } = errors;
      const result = submission?.reply(errors) ?? {
        initialValue: {},
        error: { ...fieldErrors, ...(formErrors && { "": formErrors }) },
      };
      return { answer: { step, result, status: said.status } };
    },
  );
}

const sayStep = sayFrom(kyc);

/** Fields that were left empty. */
function withNulls<
  Details extends {
    addressLine2?: string | undefined;
    postalCode?: string | undefined;
    region?: string | undefined;
  },
>(typed: Details) {
  const { addressLine2 = null, postalCode = null, region = null } = typed;
  return { ...typed, addressLine2, postalCode, region };
}
