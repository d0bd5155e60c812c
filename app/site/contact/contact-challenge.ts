import { appContext, requestContext } from "#server/app-context.ts";
import { issueChallenge } from "#server/contact/issue-challenge.ts";
import { limits } from "#server/contact/limits.ts";
import { clientNetwork, countAttempt, TooManyAttempts } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/contact-challenge";

/** A task for the contact form's script to solve while a reader writes. Who asks too often writes without. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const at = now();
  const network = clientNetwork(context.get(requestContext).clientAddress);
  const headers = { "cache-control": "no-store" };
  try {
    await countAttempt(db, limits.challengesByNetwork, network, at);
  } catch (error) {
    if (error instanceof TooManyAttempts) return new Response(null, { status: 429, headers });
    throw error;
  }
  return Response.json(await issueChallenge(config.authSecret, at), { headers });
}
