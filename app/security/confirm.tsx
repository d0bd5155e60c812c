import { Form, Link, redirectDocument } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import { PasswordField } from "#app/ui/controls/password-field.tsx";
import { FactorCodeField } from "#app/ui/forms/factor-code-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { PasskeyButton } from "#app/ui/forms/passkey-button.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { appContext } from "#server/app-context.ts";
import { getMfaMethods } from "#server/identity/mfa/get-mfa-methods.ts";
import { readMfaResponse } from "#server/identity/mfa/read-mfa-response.ts";
import { isOwnWish } from "#server/identity/staff/require-permission.ts";
import { confirmAgain } from "#server/identity/step-up/confirm-again.ts";
import { isFresh, sessionContext } from "#server/identity/step-up/fresh-mfa.ts";
import type { Route } from "./+types/confirm";
import { actorOf } from "./actor-of.ts";
import { nextInside } from "./next-inside.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Is it you?");
export const headers = answerHeaders;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const root = securityRoot(context);
  // This page goes on to the file on its own, as its own wish: another site must not lead here.
  const isAsked = url.searchParams.get("file") === "comes" && isOwnWish(request.headers);
  const comes = isAsked && isFresh(context, now());
  return {
    ...(await getMfaMethods(db, context.get(sessionContext).id)),
    root,
    file: comes ? nextInside(url.searchParams.get("next"), root) : null,
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const actor = actorOf(request, context);
  const form = await request.formData();
  return runAct(
    async () => {
      const password = form.get("password");
      const given = typeof password === "string" ? { password } : readMfaResponse(form);
      const { cookies } = await confirmAgain(context.get(appContext), actor, given);
      const next = nextInside(url.searchParams.get("next"), securityRoot(context));
      if (!url.searchParams.has("file")) return { to: next, cookies };
      const headers = new Headers(cookies.map((cookie) => ["Set-Cookie", cookie]));
      const here = `${url.pathname}?next=${encodeURIComponent(next)}&file=comes`;
      return redirectDocument(here, { headers });
    },
    ({ text }, refusal) => {
      noteRefusal(context, refusal);
      return { fault: text };
    },
    sayFactor(actor.now),
  );
}

/** A file leaves the page that asked for it where it was: without this one it would go on asking. */
function FileComes({ file, home }: { file: string; home: string }) {
  return (
    <>
      <meta httpEquiv="refresh" content={`0;url=${file}`} />
      <PageHeader title="Your file is on its way" />
      <div className={styles.narrow}>
        <Panel>
          <div className={styles.fields}>
            <p>
              The download starts automatically. If it does not,{" "}
              <a href={file}>download the file here</a>.
            </p>
            <p>
              <Link to={home}>Back</Link>
            </p>
          </div>
        </Panel>
      </div>
    </>
  );
}

export default function Confirm({ loaderData, actionData }: Route.ComponentProps) {
  const { hasApp, hasPasskey, file, root } = loaderData;
  if (file) return <FileComes file={file} home={root.replace(/\/security$/, "")} />;
  const hasMfa = hasApp || hasPasskey;
  return (
    <>
      <PageHeader
        title="Is it you?"
        description="The next step is sensitive, so we ask you to confirm it. We do not ask again for 10 minutes."
      />
      <div className={styles.narrow}>
        <Panel>
          <div className={styles.fields}>
            <FormAlert errors={actionData ? [actionData.fault] : null} />
            {hasPasskey ? (
              <PasskeyButton purpose="prove" label="Use a passkey" look="filled" />
            ) : null}
            <Form method="post" className={styles.fields}>
              {hasMfa ? (
                <FactorCodeField name="code" hasApp={hasApp} />
              ) : (
                <PasswordField
                  name="password"
                  label="Password"
                  autoComplete="current-password"
                  required
                />
              )}
              <div>
                <SubmitButton look={hasPasskey ? "quiet" : "filled"} pendingText="Checking…">
                  Continue
                </SubmitButton>
              </div>
            </Form>
          </div>
        </Panel>
      </div>
    </>
  );
}
