import { data, redirect } from "react-router";
import { runAct } from "#app/run-act.ts";
import { appContext } from "#server/app-context.ts";
import { isId } from "#server/console/is-id.ts";
import { inviteTestimonial } from "#server/content/invite-testimonial.ts";
import { operatorContext } from "#server/identity/sessions/person-context.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { withoutNul } from "../parts/parsed-text.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/invite";

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("content/invite-testimonial", "content/invite-testimonial"),
];

/** Nothing to read here: the form stands on the customer's page. */
export function loader({ params }: Route.LoaderArgs) {
  if (!isId(params.customerId)) throw data(null, { status: 404, statusText: "Not Found" });
  return redirect(`/operator/customers/${params.customerId}`);
}

/** Asks a customer for a few words. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, config, now } = context.get(appContext);
  const { customerId } = params;
  if (!isId(customerId)) throw data(null, { status: 404, statusText: "Not Found" });
  const form = await request.formData();
  const invitation = withoutNul(String(form.get("invitation") ?? "")).slice(0, 1000);
  return runAct(
    async () => {
      const asked = { customerId, invitation, site: config };
      const operator = context.get(operatorContext);
      const { testimonialId, isMailed } = await inviteTestimonial(db, operator, asked, now());
      return {
        to: `/operator/content/testimonials/${testimonialId}`,
        say: isMailed ? "testimonial-invited" : "testimonial-asked-without-mail",
      };
    },
    () => {
      throw data(null, { status: 403 });
    },
    sayRefusal,
  );
}
