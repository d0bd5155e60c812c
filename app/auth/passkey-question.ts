import { type Said, sayFrom, type Texts, unlessRefused } from "#app/run-act.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import type { ChallengeFor } from "#server/identity/mfa/passkey-challenge.ts";
import { findSignedInUser } from "#server/identity/sessions/signed-in-user.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { findPendingMfaSession } from "#server/identity/sign-in/pending-mfa-session.ts";
import { askForPasskey } from "#server/identity/step-up/ask-for-passkey.ts";
import { isFreshSession } from "#server/identity/step-up/fresh-mfa.ts";
import { clientNetwork, comeBackLater, countAttempt } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/passkey-question";

/** Asked for by script only, each time anew. */
export function loader() {
  return new Response(null, { status: 404 });
}

/** What the browser shall ask an authenticator, as JSON; a refusal is a sentence for the reader. */
export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { clientAddress } = context.get(requestContext);
  const now = app.now();
  const purpose = (await request.formData()).get("purpose");
  if (!isPurpose(purpose)) return new Response(null, { status: 404 });
  return unlessRefused(
    async () => {
      await countAttempt(app.db, limits.passkeyByNetwork, clientNetwork(clientAddress), now);
      const wanted = await whoIsAsked(request, purpose, app);
      return Response.json(await askForPasskey(app, wanted, now), {
        headers: { "Cache-Control": "no-store" },
      });
    },
    (refusal) => {
      const { text, ...answer } = sayQuestion(refusal, now);
      return new Response(text, answer);
    },
  );
}

function isPurpose(text: FormDataEntryValue | null): text is ChallengeFor["purpose"] {
  return text === "sign-in" || text === "prove" || text === "register";
}

/** A stranger may only sign in; a pending MFA session may prove; only a session that has just proved may add a passkey. */
async function whoIsAsked(
  request: Request,
  purpose: ChallengeFor["purpose"],
  app: Parameters<typeof findPendingMfaSession>[0] & { now(): Date },
): Promise<ChallengeFor> {
  if (purpose === "sign-in") return { purpose, userId: null };
  const user = await findSignedInUser(app, request);
  if (purpose === "register") {
    if (!user) throw new Refusal("identity/sign-in-again");
    if (!isFreshSession(user.session, app.now())) throw new Refusal("identity/not-fresh");
    return { purpose, userId: user.id };
  }
  const pending = await findPendingMfaSession(app, request.headers.get("cookie") ?? "", app.now());
  const userId = pending?.userId ?? user?.id;
  if (!userId) throw new Refusal("identity/sign-in-again");
  return { purpose, userId };
}

export const questions: Texts = {
  "identity/no-passkeys-here": "Passkeys cannot be used at this address.",
  "identity/not-fresh": "Please reload this page. It asks you first to confirm that it is you.",
  "identity/sign-in-again": "Your session has ended. Please sign in again.",
};

function sayQuestion(refusal: Refusal, now: Date): Said {
  const later = comeBackLater(refusal, now);
  if (later) return { ...later, text: later.words };
  return (
    sayFrom(questions)(refusal) ?? { status: 400, text: "This was refused. Please sign in again." }
  );
}
