import { parseThs } from "#core/mining/hashrate.ts";
import { slugMaxLength, slugOf, slugPattern } from "#core/text/slug.ts";
import { z } from "#core/zod.ts";
import type { PlanTerms } from "#server/contracts/plans/plan.ts";
import {
  day,
  hashrate,
  id,
  mark,
  signedUsd,
  signedUsdMicros,
  usd,
  usdMicros,
  whole,
  words,
} from "../parts/fields.ts";
import { parsed } from "../parts/parsed-text.ts";

const terms = {
  name: words("Write a name", 100),
  unit: hashrate("How much hashrate is one unit?"),
  termDays: whole("For how many days?", 1825),
  mostUnits: whole("How many units at most?", 100_000),
  offered: z.optional(
    parsed("", parseThs, "Write TH/s with at most 3 decimals, or leave it empty"),
  ),
  machines: usd("What do the machines cost of it?"),
  setup: usd("What does setting up cost of it? 0 if nothing"),
  margin: signedUsd("What is your margin? 0 if none"),
  energy: usdMicros("What does energy cost of it?"),
  operation: usdMicros("What does operation cost of it? 0 if nothing"),
  maintenanceMargin: signedUsdMicros("What is your margin? 0 if none"),
  termination: z.enum(["refund-unserved", "forfeit"], "Choose one"),
};

export const newPlanSchema = z.object({
  planId: id,
  slug: z.optional(
    z.string().check(
      z.overwrite((text) => text.trim().toLowerCase()),
      z.maxLength(60, "At most 60 characters"),
      z.regex(slugPattern, "Small letters, digits and hyphens, for instance start-360"),
      z.refine((text) => text !== "new", "This name is taken by the page for new ones"),
    ),
  ),
  ...terms,
});

export const draftSchema = z.object({ seen: mark, ...terms });

type Typed = z.output<typeof draftSchema>;

export function asTerms(typed: Omit<Typed, "seen">): PlanTerms {
  return {
    name: typed.name,
    unitGhs: typed.unit,
    termDays: typed.termDays,
    mostUnits: typed.mostUnits,
    offeredGhs: typed.offered ?? null,
    machinesUsdCents: typed.machines,
    setupUsdCents: typed.setup,
    marginUsdCents: typed.margin,
    energyUsdMicros: typed.energy,
    operationUsdMicros: typed.operation,
    maintenanceMarginUsdMicros: typed.maintenanceMargin,
    termination: typed.termination,
  };
}

/** The plan's name in addresses, made of its name where nobody wrote one. */
export function slugFor({ slug, name }: { slug?: string | undefined; name: string }): string {
  return slug || slugOf(name).slice(0, Math.min(60, slugMaxLength)).replace(/-+$/, "");
}

export const changeSchema = z.object({
  changeId: id,
  effectiveFrom: day("From which day?"),
  fee: usdMicros("What does one TH/s cost a day then?"),
  reason: words("Write the reason, as customers read it", 500),
});

export const seenSchema = z.object({ seen: mark });
export const withdrawSchema = z.object({ changeId: id });
