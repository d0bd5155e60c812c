import { PasswordInput } from "@mantine/core";
import { data, Form, Link, redirect, redirectDocument } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { noteRefusal } from "#app/note-refusal.ts";
import { FactorCodeField } from "#app/ui/factor-code-field.tsx";
import { FormAlert, SubmitButton } from "#app/ui/form-fields.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { PasskeyButton } from "#app/ui/passkey-button.tsx";
import { appContext } from "#server/app-context.ts";
import { confirmAgain } from "#server/identity/confirm-again.ts";
import { factorFault } from "#server/identity/factor-fault.ts";
import { isFresh, sessionContext } from "#server/identity/fresh-factor.ts";
import { getFactorKinds } from "#server/identity/queries.ts";
import { readFactor } from "#server/identity/read-factor.ts";
import type { Route } from "./+types/confirm";
import { actorOf } from "./actor-of.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Is it you?");
export const headers = answerHeaders;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const root = securityRoot(context);
  const comes = url.searchParams.get("file") === "comes" && isFresh(context, now());
  return {
    ...(await getFactorKinds(db, context.get(sessionContext).id)),
    root,
    file: comes ? nextInside(url.searchParams.get("next"), root) : null,
  };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const actor = actorOf(request, context);
  const form = await request.formData();
  const headers = new Headers();
  try {
    const password = form.get("password");
    const given = typeof password === "string" ? { password } : readFactor(form);
    const { cookies } = await confirmAgain(context.get(appContext), actor, given);
    for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  } catch (error) {
    noteRefusal(context, error);
    const { words, ...init } = factorFault(error, actor.now);
    return data({ fault: words }, init);
  }
  const next = nextInside(url.searchParams.get("next"), securityRoot(context));
  if (!url.searchParams.has("file")) return redirect(next, { headers });
  return redirectDocument(`${url.pathname}?next=${encodeURIComponent(next)}&file=comes`, {
    headers,
  });
}

/** Only a page of the same section is gone to. */
function nextInside(next: string | null, root: string): string {
  const here = "http://here.invalid";
  const section = root.replace(/security$/, "");
  if (!next?.startsWith(section) || !URL.canParse(next, here)) return root;
  const url = new URL(next, here);
  return url.origin === here && url.pathname.startsWith(section) ? url.pathname + url.search : root;
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
              The download begins by itself. If it does not, <a href={file}>take the file here</a>.
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
  const hasFactor = hasApp || hasPasskey;
  return (
    <>
      <PageHeader
        title="Is it you?"
        description="What comes next touches the safety of an account, so we ask once more. It holds for 10 minutes."
      />
      <div className={styles.narrow}>
        <Panel>
          <div className={styles.fields}>
            <FormAlert errors={actionData ? [actionData.fault] : null} />
            {hasPasskey ? (
              <PasskeyButton purpose="prove" label="Use a passkey" variant="filled" />
            ) : null}
            <Form method="post" className={styles.fields}>
              {hasFactor ? (
                <FactorCodeField name="code" hasApp={hasApp} />
              ) : (
                <PasswordInput
                  name="password"
                  label="Password"
                  autoComplete="current-password"
                  required
                  withAsterisk={false}
                />
              )}
              <div>
                <SubmitButton variant={hasPasskey ? "default" : "filled"} pendingText="Checking…">
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
