/** What leads a new operator from nothing to the first sale, in the order in which it is best done. */
export const setupSteps = [
  "identity",
  "mail",
  "second-person",
  "node",
  "wallet",
  "prices",
  "site",
  "energy",
  "machines",
  "pool",
  "plan",
  "terms",
  "first-count",
] as const;
export type SetupStep = (typeof setupSteps)[number];

/** Of a rehearsal there is no company: it sends no mail and needs neither a name nor terms of its own. */
export const stepsOfCompany: readonly SetupStep[] = ["identity", "mail", "terms"];

/** Where each step is: done, or what is there of it already and what is not. */
export interface SetupState {
  step: SetupStep;
  isDone: boolean;
}
