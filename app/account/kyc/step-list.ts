import {
  type IdentityKind,
  identityKinds,
  type KycState,
  type SecondProof,
} from "#core/people/kyc.ts";
import type { Step } from "#server/kyc/standing.ts";

export type PageStep = "residence" | Step;

export const stepTitles: Record<PageStep, string> = {
  residence: "Where you live",
  "personal-details": "Your details",
  "identity-kind": "Your identity document",
  "identity-front": "Its front",
  "identity-back": "Its back",
  "second-kind": "A second proof",
  selfie: "A photo of you with the document",
  "proof-of-address": "A proof of address",
};

/** What became of a step: to be done, done and to be changed still, declined, accepted, or in the verifiers' hands. */
export type StepState = "to do" | "done" | "declined" | "accepted" | "submitted";

export interface ListedStep {
  step: PageStep;
  state: StepState;
  /** Why it was declined. */
  reason: string | null;
  /** Whether its form may be opened. */
  open: boolean;
}

interface Standing {
  state: KycState;
  residence: { served: boolean } | null;
  draft: { identityKind: IdentityKind | null; secondProof: SecondProof | null } | null;
  open: Step[];
  missing: Step[];
  submission: { declined: Array<{ part: string; reason: string }> } | null;
}

/** The steps of a verification in their order, those that the chosen documents need. */
export function listSteps(standing: Standing): ListedStep[] {
  const { residence, state } = standing;
  const first: ListedStep = {
    step: "residence",
    state: state === "submitted" ? "submitted" : residence?.served ? "done" : "to do",
    reason: null,
    open: state !== "submitted",
  };
  return [first, ...neededSteps(standing).map((step) => describe(step, standing))];
}

function neededSteps({ draft }: Standing): Step[] {
  const { identityKind, secondProof } = draft ?? {};
  const hasBack = identityKind && identityKinds[identityKind].hasBack;
  return [
    "personal-details",
    "identity-kind",
    ...(identityKind ? (["identity-front"] as const) : []),
    ...(hasBack ? (["identity-back"] as const) : []),
    "second-kind",
    ...(secondProof ? [secondProof] : []),
  ];
}

function describe(step: Step, standing: Standing): ListedStep {
  const { residence, open, missing } = standing;
  const reason = standing.submission?.declined.find(({ part }) => part === step)?.reason ?? null;
  return {
    step,
    state: stateOf(step, standing, reason !== null),
    reason: missing.includes(step) ? reason : null,
    open: residence?.served === true && open.includes(step),
  };
}

function stateOf(step: Step, { state, open, missing }: Standing, declined: boolean): StepState {
  if (state === "submitted") return "submitted";
  if (missing.includes(step)) return declined ? "declined" : "to do";
  return open.includes(step) ? "done" : "accepted";
}

/** The step whose form is shown: the one asked for, or the first that is to be done; null when nothing is left to do. */
export function currentStep(steps: ListedStep[], asked: string | null): PageStep | null {
  const open = steps.filter((each) => each.open);
  const wanted = open.find(({ step }) => step === asked);
  const undone = open.find(({ state }) => state === "to do" || state === "declined");
  return (wanted ?? undone)?.step ?? null;
}
