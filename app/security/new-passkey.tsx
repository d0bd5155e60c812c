import { useRef } from "react";
import { Link } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { PasskeyButton } from "#app/ui/forms/passkey-button.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { browserName } from "#core/people/browser-name.ts";
import { appContext } from "#server/app-context.ts";
import { addPasskey } from "#server/identity/mfa/change-mfa.ts";
import { passkeySite } from "#server/identity/mfa/passkey-site.ts";
import { readNewPasskey } from "#server/identity/mfa/read-mfa-response.ts";
import { isFresh, requireFreshMfa } from "#server/identity/step-up/fresh-mfa.ts";
import type { Route } from "./+types/new-passkey";
import { actorOf } from "./actor-of.ts";
import { afterNewMfa } from "./after-new-mfa.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Add a passkey");
export const headers = answerHeaders;

export function loader({ request, url, context }: Route.LoaderArgs) {
  const { config, now } = context.get(appContext);
  requireFreshMfa(context, url, now());
  const name = browserName(request.headers.get("user-agent"));
  return { root: securityRoot(context), name, possible: passkeySite(config) !== null };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const actor = actorOf(request, context);
  if (!isFresh(context, actor.now)) requireFreshMfa(context, url, actor.now);
  const root = securityRoot(context);
  return runAct(
    async () => {
      const made = readNewPasskey(await request.formData());
      const { cookies } = await addPasskey(app, actor, made);
      const next = url.searchParams.get("next");
      return afterNewMfa(app.db, actor, { root, cookies, next });
    },
    (said) => ({ fault: said.text }),
    sayFactor(actor.now),
  );
}

export default function NewPasskey({ loaderData, actionData }: Route.ComponentProps) {
  const { root, name, possible } = loaderData;
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <PageHeader
        title="Add a passkey"
        description={
          <>
            Your browser asks for your fingerprint, face, PIN or security key. What it keeps never
            leaves it. <Link to={root}>Back to security</Link>
          </>
        }
      />
      <div className={styles.narrow}>
        <Panel>
          <div className={styles.fields}>
            <FormAlert errors={actionData ? [actionData.fault] : null} />
            {possible ? (
              <>
                <TextField
                  ref={field}
                  label="Name"
                  description="To recognise it later"
                  defaultValue={name}
                  maxLength={60}
                />
                <div>
                  <PasskeyButton
                    purpose="register"
                    label="Add a passkey"
                    look="filled"
                    extra={() => ({ name: field.current?.value ?? "" })}
                  />
                </div>
                <noscript>
                  <p>Passkeys need JavaScript. An authenticator app works without it.</p>
                </noscript>
              </>
            ) : (
              <p>
                Passkeys cannot work at this address: they need a name and https. An authenticator
                app does what they do here.
              </p>
            )}
          </div>
        </Panel>
      </div>
    </>
  );
}
