import { Link } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import { AuthenticatorSetUp } from "#app/ui/forms/authenticator-set-up.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { appContext } from "#server/app-context.ts";
import { getSecurityFacts } from "#server/identity/account/get-security-facts.ts";
import { addTotp } from "#server/identity/mfa/change-mfa.ts";
import { drawTotp } from "#server/identity/mfa/set-up-totp.ts";
import { isFresh, requireFreshMfa, sessionContext } from "#server/identity/step-up/fresh-mfa.ts";
import type { Route } from "./+types/authenticator";
import { actorOf } from "./actor-of.ts";
import { afterNewMfa } from "./after-new-mfa.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Authenticator app");

/** The secret is for this page alone. */
export const headers = (answer: Route.HeadersArgs) => ({
  ...answerHeaders(answer),
  "Cache-Control": "no-store",
});

export async function loader({ url, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const now = app.now();
  requireFreshMfa(context, url, now);
  const { id, session } = context.get(sessionContext);
  const { email, authenticatorSince } = await getSecurityFacts(app.db, id, now);
  return {
    root: securityRoot(context),
    replaces: authenticatorSince !== null,
    drawn: await drawTotp(app, { userId: id, begunIn: session.id, email, now }),
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const actor = actorOf(request, context);
  // The code would be worthless by the time that someone comes back.
  if (!isFresh(context, actor.now)) requireFreshMfa(context, url, actor.now);
  const root = securityRoot(context);
  return runAct(
    async () => {
      const code = String((await request.formData()).get("code") ?? "");
      const { cookies } = await addTotp(app, actor, code);
      const next = url.searchParams.get("next");
      return afterNewMfa(app.db, actor, { root, cookies, next });
    },
    (said) => ({ fault: said.text }),
    sayFactor(actor.now),
  );
}

export default function Authenticator({ loaderData, actionData }: Route.ComponentProps) {
  const { root, replaces, drawn } = loaderData;
  return (
    <>
      <PageHeader
        title={replaces ? "Move to another app" : "Set up an authenticator app"}
        description={
          <>
            {replaces
              ? "The app that you use now works until the new one has shown a right code."
              : "For instance Aegis, Ente Auth, Google Authenticator, or your password manager."}{" "}
            <Link to={root}>Back to security</Link>
          </>
        }
      />
      <div className={styles.narrow}>
        <Panel>
          <AuthenticatorSetUp {...drawn} fault={actionData?.fault ?? null} />
        </Panel>
      </div>
    </>
  );
}
