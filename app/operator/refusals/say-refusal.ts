import { type Say, sayFrom, type Texts } from "#app/run-act.ts";
import { fileRefusals } from "#app/ui/forms/file-refusal-words.ts";
import { adjustments } from "./adjustments.ts";
import { chain } from "./chain.ts";
import { contact } from "./contact.ts";
import { content } from "./content.ts";
import { contracts } from "./contracts.ts";
import { deposits } from "./deposits.ts";
import { fleet } from "./fleet.ts";
import { identity } from "./identity.ts";
import { kyc } from "./kyc.ts";
import { ledger } from "./ledger.ts";
import { mining } from "./mining.ts";
import { payouts } from "./payouts.ts";
import { plans } from "./plans.ts";
import { platform } from "./platform.ts";
import { reconciliation } from "./reconciliation.ts";
import { staffNotes } from "./staff-notes.ts";
import { withdrawals } from "./withdrawals.ts";

/** What the console says of a refusal, by the room that refuses. */
export const consoleTexts: Texts = {
  ...fileRefusals("evidence"),
  ...adjustments,
  ...chain,
  ...contact,
  ...content,
  ...contracts,
  ...deposits,
  ...fleet,
  ...identity,
  ...ledger,
  ...mining,
  ...payouts,
  ...plans,
  ...platform,
  ...reconciliation,
  ...staffNotes,
  ...kyc,
  ...withdrawals,
};

/** What the console says of a refusal; `own` says it otherwise for one form, where the context differs. */
export function sayWith(own: Texts): Say {
  return sayFrom({ ...consoleTexts, ...own });
}

export const sayRefusal = sayWith({});
