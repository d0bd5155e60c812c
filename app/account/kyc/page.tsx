import { data, Form, redirect } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { flash } from "#app/ui/toasts/flash.ts";
import { countryOptions } from "#core/people/countries.ts";
import { partNames } from "#core/people/kyc.ts";
import { retention } from "#core/retention.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { findProcessingHours } from "#server/kyc/find-processing-hours.ts";
import { getKyc } from "#server/kyc/get-kyc.ts";
import type { Route } from "./+types/page";
import { DetailsForm } from "./details-form.tsx";
import { DocumentForm } from "./document-form.tsx";
import { IdentityKindForm, SecondProofForm } from "./kind-forms.tsx";
import styles from "./kyc.module.css";
import { ResidencePart } from "./residence-part.tsx";
import { type StepAnswer, saveStep } from "./save-step.ts";
import { HowLong, StandingNotice } from "./standing-notice.tsx";
import { currentStep, listSteps, type PageStep } from "./step-list.ts";
import { StepRow } from "./step-row.tsx";
import { StepSummary } from "./step-summary.tsx";
import { Tiers } from "./tiers.tsx";

export const shouldRevalidate = readAfterConflict;
export const meta = titled("Verification");

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const at = now();
  const verification = await getKyc(db, id, at);
  const steps = listSteps(verification);
  return {
    verification,
    steps,
    current: currentStep(steps, url.searchParams.get("step")),
    next: nextPage(url.searchParams.get("next")),
    hours: await findProcessingHours(db, at),
    documentDays: config.kyc.approvedDocumentDays,
    countries: countryOptions(),
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const outcome = await saveStep(app, request, {
    customerId: context.get(customerContext).id,
    ipAddress,
    userAgent: request.headers.get("user-agent"),
  });
  if ("answer" in outcome) return data<StepAnswer>(outcome.answer, outcome.answer.status);
  const next = nextPage(url.searchParams.get("next")) ?? "/account/verification";
  return redirect(next, { headers: { "Set-Cookie": await flash(outcome.saved) } });
}

const tones = {
  "not started": "plain",
  submitted: "waiting",
  approved: "good",
  declined: "bad",
  expired: "bad",
} as const;

type LoaderData = Route.ComponentProps["loaderData"];

export default function KycPage({ loaderData, actionData }: Route.ComponentProps) {
  const { verification, steps, hours, documentDays } = loaderData;
  const { state, submission } = verification;
  const answered = steps.find(({ step }) => step === actionData?.step)?.step;
  const current = answered ?? loaderData.current;
  const listed = state === "approved" ? steps.slice(0, 1) : steps;
  const isReady = current === null && state !== "submitted" && state !== "approved";
  const ofSubmit = actionData?.step === "submit" ? actionData : undefined;
  // A step that is not listed any more has no form that could say why it was refused.
  const isOfForm = ofSubmit ? isReady : listed.some(({ step }) => step === actionData?.step);
  return (
    <>
      <PageHeader
        title="Verification"
        description={<StatusBadge status={state} tone={tones[state]} />}
      />
      <div className={styles.page}>
        <StandingNotice
          state={state}
          submission={submission}
          hours={hours}
          documentDays={documentDays}
        />
        <Tiers level={verification.level} />
        {isOfForm ? null : (
          <FormAlert errors={Object.values(actionData?.result.error ?? {}).flat()} />
        )}
        <Panel title="Your verification" flush>
          <ol className={layout.plain}>
            {listed.map((each) => (
              <StepRow
                key={each.step}
                listed={each}
                href={`?step=${each.step}`}
                summary={<StepSummary step={each.step} verification={verification} />}
                form={
                  each.step === current ? (
                    <StepForm
                      step={each.step}
                      data={loaderData}
                      answer={actionData?.step === each.step ? actionData : undefined}
                    />
                  ) : null
                }
              />
            ))}
          </ol>
          {isReady ? <Submit hours={hours} answer={ofSubmit} /> : null}
        </Panel>
        {state === "approved" ? null : (
          <p className={layout.note}>
            We re-encode your documents to remove hidden data, encrypt them, and show them only to
            verification staff. Every view is logged. We delete them {documentDays} days after an
            approval, {retention.unapprovedDocumentDays} days after we decline, or{" "}
            {retention.unapprovedDocumentDays} days after an upload that you never submitted.{" "}
            {state === "submitted" || isReady ? null : <HowLong hours={hours} />}
          </p>
        )}
      </div>
    </>
  );
}

interface StepFormProps {
  step: PageStep;
  data: LoaderData;
  answer: StepAnswer | undefined;
}

function StepForm({ step, data: { verification, countries, next }, answer }: StepFormProps) {
  const { draft, residence } = verification;
  const lastResult = answer?.result;
  switch (step) {
    case "residence":
      return (
        <ResidencePart
          countries={countries}
          stated={residence?.country}
          next={next}
          lastResult={lastResult}
        />
      );
    case "personal-details":
      return <DetailsForm saved={draft} lastResult={lastResult} />;
    case "identity-kind":
      return (
        <IdentityKindForm
          kind={draft?.identityKind ?? null}
          expiresOn={draft?.identityExpiresOn ?? null}
          lastResult={lastResult}
        />
      );
    case "second-kind":
      return <SecondProofForm secondProof={draft?.secondProof ?? null} lastResult={lastResult} />;
    default:
      return <DocumentForm purpose={step} label={partNames[step]} lastResult={lastResult} />;
  }
}

function Submit({ hours, answer }: { hours: LoaderData["hours"]; answer: StepAnswer | undefined }) {
  return (
    <Form method="post" className={styles.submit}>
      <FormAlert errors={answer?.result.error?.[""]} />
      <p className={layout.note}>
        Everything is here. Please check it once more: you cannot change it again until we have
        decided. <HowLong hours={hours} />
      </p>
      <input type="hidden" name="step" value="submit" />
      <SubmitButton pendingText="Submitting…">Submit for verification</SubmitButton>
    </Form>
  );
}

/** The page of the account, with what its address fills in, that asked to be led back to; null for anything else. */
function nextPage(asked: string | null): string | null {
  return asked !== null && asked.length <= 300 && pattern.test(asked) ? asked : null;
}

const pattern =
  /^\/account\/[a-z]+(?:\/[a-z]+)?(?:\?[a-z]+=[A-Za-z0-9-]*(?:&[a-z]+=[A-Za-z0-9-]*)*)?$/;
