import { Button } from "@mantine/core";
import { data, Form, Link, redirect, useSearchParams } from "react-router";
import { SubmitButton } from "#app/ui/form-fields.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { renewRecoveryCodes } from "#server/identity/change-factors.ts";
import { requireFreshSecondFactor, sessionContext } from "#server/identity/fresh-factor.ts";
import { getSecurityFacts } from "#server/identity/queries.ts";
import type { Route } from "./+types/recovery-codes";
import { actorOf } from "./actor-of.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Recovery codes");

/** The codes are for this answer alone. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  requireFreshSecondFactor(context, url, now());
  const root = securityRoot(context);
  const { id } = context.get(sessionContext);
  const facts = await getSecurityFacts(db, id, now());
  if (!facts.authenticatorSince && facts.passkeys.length === 0) throw redirect(root);
  return { root, left: facts.recoveryCodesLeft, siteName: config.siteName };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const actor = actorOf(request, context);
  requireFreshSecondFactor(context, url, actor.now);
  try {
    const codes = await renewRecoveryCodes(context.get(appContext), actor);
    return data({ codes }, { headers: { "Cache-Control": "no-store" } });
  } catch (error) {
    // Without a factor there is nothing that codes could stand in for: the page says what to set up first.
    if (error instanceof Refusal) throw redirect(securityRoot(context));
    throw error;
  }
}

export default function RecoveryCodes({ loaderData, actionData }: Route.ComponentProps) {
  const { root, left, siteName } = loaderData;
  const [params] = useSearchParams();
  const back = backTo(params.get("next"), root);
  return (
    <>
      <PageHeader
        title="Recovery codes"
        description="Ten codes for the day when your device is lost. Each gets you in once, in the place of the second factor."
      />
      <div className={styles.narrow}>
        <Panel>
          {actionData ? (
            <Codes codes={actionData.codes} siteName={siteName} back={back} />
          ) : (
            <Form method="post" className={styles.fields}>
              <p>
                {left === 0
                  ? "You have none yet. Print them or write them down, and keep them where your device is not."
                  : `You have ${left} left. New ones take their place: the old ones stop working.`}
              </p>
              <div className={styles.acts}>
                <SubmitButton pendingText="Making codes…">
                  {left === 0 ? "Make recovery codes" : "Make new codes"}
                </SubmitButton>
                <Button component={Link} to={back} variant="subtle">
                  {left === 0 ? "Later" : "Keep the old ones"}
                </Button>
              </div>
            </Form>
          )}
        </Panel>
      </div>
    </>
  );
}

function Codes({ codes, siteName, back }: { codes: string[]; siteName: string; back: string }) {
  const hydrated = useHydrated();
  const text = `${siteName}: recovery codes\nEach works once.\n\n${codes.join("\n")}\n`;
  return (
    <>
      <Notice tone="warning" title="They are shown this once">
        Keep them now. Whoever has one of them and your password has your account.
      </Notice>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.acts}>
        <Button component={Link} to={back}>
          I have kept them
        </Button>
        <Button
          component="a"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          variant="default"
        >
          Download
        </Button>
        {hydrated ? (
          <Button type="button" variant="default" onClick={() => window.print()}>
            Print
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** Where somebody was going before the codes, inside the same section only. */
function backTo(next: string | null, root: string): string {
  const section = root.replace(/\/security$/, "");
  const inside = next === section || next?.startsWith(`${section}/`);
  return next && inside ? next : root;
}
