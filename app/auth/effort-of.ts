import type { App } from "#server/app-context.ts";
import { ageOfForm, issueFormToken } from "#server/contact/form-token.ts";
import { spendProof } from "#server/contact/spend-proof.ts";
import type { Effort } from "#server/identity/sign-in/effort.ts";
import { busyTerms } from "./busy-terms.ts";

/** What the site asked for when it was busy, and got: a task that the page's script solved, or a form that has waited. */
export async function effortOf({ db, config, now }: App, form: FormData): Promise<Effort> {
  const proof = { secret: config.authSecret, text: textOf(form, "proof"), now: now() };
  if (await spendProof(db, proof)) return "work";
  const ageMs = ageOfForm(config, textOf(form, "waitingSince"), now());
  return ageMs !== null && ageMs >= busyTerms.waitSeconds * 1_000 ? "patience" : "none";
}

/** What a form brings along that says when it began to wait: now, or when it did before. */
export function waitingSince({ config, now }: App, form: FormData): string {
  const before = textOf(form, "waitingSince");
  return ageOfForm(config, before, now()) === null
    ? issueFormToken(config.authSecret, now())
    : before;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
