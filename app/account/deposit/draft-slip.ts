import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { slipRefusalWords } from "../refusals/deposits.ts";
import type { Route } from "./+types/draft-slip";
import { receiveSlip } from "./receive-slip.ts";

/** What the browser gets for an upload: the draft, or why there is none. */
export type DraftSlipAnswer = { slipId: string; name: string } | { error: string; again: boolean };

/** There is nothing to read here. The loader stands so that the section's guard does too. */
export function loader() {
  return new Response(null, { status: 204 });
}

/**
 * Takes a slip as soon as it is chosen, so that a slow line shows its progress and a mistake in the form
 * loses nothing. Without JavaScript the slip comes along with the form itself.
 */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const app = context.get(appContext);
  const { slip, refusal } = await receiveSlip(app, request, context.get(customerContext).id);
  if (slip) return answer({ slipId: slip.slipId, name: slip.name }, 200);
  const words = slipRefusalWords(refusal?.code ?? "files/empty");
  if (!words) throw refusal;
  return answer({ error: words.text, again: words.again ?? false }, words.status);
}

function answer(body: DraftSlipAnswer, status: number): Response {
  return Response.json(body, { status });
}
