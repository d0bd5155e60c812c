import { randomUUID } from "node:crypto";
import { Link } from "react-router";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { utcDay } from "#core/utc-day.ts";
import { draftPlan } from "#server/contracts/plans/draft-plan.ts";
import { type EnergyCost, listEnergyCosts } from "#server/fleet/list-energy-prices.ts";
import { findProjectedStart } from "#server/markets/find-projected-start.ts";
import { ActForm } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/new-plan";
import { PlanFields } from "./plan-fields.tsx";
import { asTerms, newPlanSchema, slugFor } from "./plan-schema.ts";

export const middleware = guard("plans/draft", { draft: "plans/draft" });
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Draft a plan");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const at = now();
  const [energyCosts, start] = await Promise.all([
    listEnergyCosts(db, utcDay(at)),
    findProjectedStart(db, at),
  ]);
  return { planId: randomUUID(), energyCosts, start };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  return answerAct(await request.formData(), newPlanSchema, async ({ planId, slug, ...typed }) => {
    const plan = { planId, slug: slugFor({ slug, name: typed.name }), terms: asTerms(typed) };
    const { versionId } = await draftPlan(db, operator, plan, now());
    return { to: `/operator/plans/${versionId}`, say: "plan-drafted" };
  });
}

export default function NewPlan({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Draft a plan" description={<Link to="/operator/plans">All plans</Link>} />
      <Panel>
        <ActForm
          intent="draft"
          rules={async () => (await import("./plan-schema.ts")).newPlanSchema}
          answer={actionData}
          hidden={{ planId: loaderData.planId }}
          defaults={{
            unit: "1",
            termDays: "360",
            mostUnits: "1000",
            termination: "refund-unserved",
            // What the dearest site costs: a plan is served by all of them.
            energy: suggested(loaderData.energyCosts),
          }}
          button="Save the draft"
          pendingText="Saving…"
        >
          {(form) => (
            <>
              <PlanFields
                form={form}
                energyCosts={loaderData.energyCosts}
                start={loaderData.start}
              />
              <TextField
                label="Name in addresses"
                description="Empty: made of the name. It never changes"
                {...form.field("slug")}
              />
            </>
          )}
        </ActForm>
      </Panel>
    </>
  );
}

function suggested(costs: EnergyCost[]): string {
  const [dearest] = costs.map((cost) => cost.usdMicrosPerThsDay).sort((a, b) => (a < b ? 1 : -1));
  return dearest === undefined ? "" : writeDecimal(dearest, 6);
}
