import { data, redirect } from "react-router";
import { runAct } from "#app/run-act.ts";
import { isUuid } from "#core/is-uuid.ts";
import { inviteTestimonial } from "#server/content/invite-testimonial.ts";
import { withoutNul } from "../parts/parsed-text.ts";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/invite";

export const middleware = guard("content/invite-testimonial", "content/invite-testimonial");

/** Nothing to read here: the form stands on the customer's page. */
export function loader({ params }: Route.LoaderArgs) {
  if (!isUuid(params.customerId)) throw notFound();
  return redirect(`/operator/customers/${params.customerId}`);
}

/** Asks a customer for a few words. */
export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const { customerId } = params;
  if (!isUuid(customerId)) throw notFound();
  const form = await request.formData();
  const invitation = withoutNul(String(form.get("invitation") ?? "")).slice(0, 1000);
  return runAct(
    async () => {
      const asked = { customerId, invitation, site: config };
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
