import { type ActResult, runAct } from "#app/run-act.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { countryName } from "#core/people/countries.ts";
import { neededDocuments } from "#core/people/kyc.ts";
import { Refusal } from "#core/refusal.ts";
import type { App } from "#server/app-context.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { approveKyc } from "#server/kyc/approve-kyc.ts";
import { askSecondReview } from "#server/kyc/ask-second-review.ts";
import { checklistFor } from "#server/kyc/checklist.ts";
import { declineKyc } from "#server/kyc/decline-kyc.ts";
import { findSubmission, type Submission } from "#server/kyc/find-submission.ts";
import { listSubmittedDocuments, listViewedDocuments } from "#server/kyc/list-documents.ts";
import { listResidences } from "#server/kyc/list-residences.ts";
import { listReviews } from "#server/kyc/list-reviews.ts";
import { findNextSubmission } from "#server/kyc/list-submissions.ts";
import { CasePage } from "../parts/case-page.tsx";
import { readFlags } from "../parts/read-flags.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import { DetailsPanel } from "./details-panel.tsx";
import { DocumentsPanel } from "./documents-panel.tsx";
import { faultsOf, type ReviewAnswer, readReview } from "./read-review.ts";
import { ReviewForm } from "./review-form.tsx";
import { ReviewsPanel } from "./reviews-panel.tsx";
import { SecondReviewForm } from "./second-review-form.tsx";

export const middleware = guard("kyc/read", {
  approve: "kyc/approve",
  decline: "kyc/decline",
  "second-review": "kyc/ask-second-review",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const name = loaderData?.submission.legalName ?? "Verification";
  return [{ title: `${name} · ${matches[0].loaderData.siteName}` }];
}
export const handle = {
  keys: [
    { key: "d", does: "look at the next document" },
    { key: "a", does: "go to the checklist" },
    { key: "n", does: "next that waits" },
    { key: "q", does: "queue" },
  ],
};

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const { db, now, operator, app } = consoleOf(context);
  const submission = await getSubmission(app, params.submissionId);
  const { id, customerId, identityKind, secondProof } = submission;
  const documents = await listSubmittedDocuments(db, id);
  const shown = documents.find((each) => each.id === url.searchParams.get("document"));
  return {
    now: now(),
    submission: { ...submission, countryName: countryName(submission.country) },
    documents,
    shownId: shown?.id ?? null,
    viewed: await listViewedDocuments(db, operator.id, id),
    reviews: await listReviews(db, id),
    residences: await listResidences(db, customerId, 10),
    checklist: checklistFor(submission),
    parts: ["personal-details" as const, ...neededDocuments(identityKind, secondProof)],
    operatorId: operator.id,
    nextId: await findNextSubmission(db, id),
    flags: await readFlags(context, customerId),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const submission = await getSubmission(app, params.submissionId);
  const form = await request.formData();
  const decide = form.get("intent") === "second-review" ? ask : review;
  return decide(app, operator, submission, form);
}

async function review(app: App, operator: Operator, submission: Submission, form: FormData) {
  const verdict = form.get("intent") === "approve" ? "approve" : "decline";
  const items = checklistFor(submission);
  const read = readReview(form, items);
  const faults = faultsOf(read, items, verdict);
  const { checklist, reasons } = read;
  const decision = { submissionId: submission.id, checklist, reasons };
  return runAct(
    async () => {
      if (Object.keys(faults).length > 0) throw new Refusal("kyc/checklist-incomplete");
      if (verdict === "decline") {
        await declineKyc(app, operator, decision, app.now());
        return goOn(app, submission.id, "kyc-declined");
      }
      const { decided } = await approveKyc(app, operator, decision, app.now());
      return goOn(app, submission.id, decided ? "kyc-approved" : "kyc-half-approved");
    },
    (said): ReviewAnswer => ({ form: "review", typed: read.typed, faults, errors: [said.text] }),
    sayRefusal,
  );
}

async function ask(app: App, operator: Operator, { id }: Submission, form: FormData) {
  const reason = String(form.get("reason") ?? "");
  return runAct(
    async () => {
      await askSecondReview(app.db, operator, { submissionId: id, reason }, app.now());
      return { to: `/operator/verification/${id}`, say: "second-review-asked" };
    },
    (said): ReviewAnswer => {
      return { form: "second-review", typed: { reason }, faults: {}, errors: [said.text] };
    },
    sayRefusal,
  );
}

async function goOn(app: App, decidedId: string, say: FlashKey): Promise<ActResult> {
  const next = await findNextSubmission(app.db, decidedId);
  return { to: next ? `/operator/verification/${next}` : "/operator/verification", say };
}

async function getSubmission(app: App, id: string): Promise<Submission> {
  const submission = found(await findSubmission(app.db, id));
  return submission;
}

export default function KycCase({ loaderData, actionData }: Route.ComponentProps) {
  const { submission, documents, shownId, viewed, residences, now } = loaderData;
  const waits = submission.state === "submitted";
  return (
    <CasePage
      title={submission.legalName}
      description={
        <StatusBadge
          status={waits ? "waiting" : submission.state}
          {...(submission.state === "declined" && { tone: "bad" as const })}
        />
      }
      queue="/operator/verification"
      nextId={loaderData.nextId}
      flags={{ standing: loaderData.flags, customerId: submission.customerId }}
    >
      <div className={layout.case} key={submission.id}>
        <div className={layout.stack}>
          <DocumentsPanel
            submissionId={submission.id}
            documents={documents}
            shownId={shownId}
            viewed={viewed}
          />
        </div>
        <div className={layout.stack}>
          <DetailsPanel submission={submission} residences={residences} now={now} />
          {loaderData.reviews.length > 0 ? <ReviewsPanel reviews={loaderData.reviews} /> : null}
          {waits ? <Decision data={loaderData} answer={actionData} /> : null}
        </div>
      </div>
    </CasePage>
  );
}

interface DecisionProps {
  data: Route.ComponentProps["loaderData"];
  answer: ReviewAnswer | undefined;
}

function Decision({
  data: { reviews, operatorId, checklist, parts, submission },
  answer,
}: DecisionProps) {
  const mine = reviews.some((each) => each.operatorId === operatorId);
  const answerOf = (form: ReviewAnswer["form"]) => (answer?.form === form ? answer : undefined);
  return (
    <>
      {mine ? (
        <Notice title="You have approved this">
          It waits for the decision of a second verifier.
        </Notice>
      ) : (
        <ReviewForm checklist={checklist} parts={parts} answer={answerOf("review")} />
      )}
      {submission.secondReviewReason === null ? (
        <SecondReviewForm answer={answerOf("second-review")} />
      ) : null}
    </>
  );
}
