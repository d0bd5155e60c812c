import { data, Form, redirect, useSearchParams } from "react-router";
import { unlessRefused } from "#app/run-act.ts";
import { useHydrated } from "#app/ui/browser/use-hydrated.ts";
import { Button, ButtonLink, buttonClasses } from "#app/ui/controls/button.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { appContext } from "#server/app-context.ts";
import { getSecurityFacts } from "#server/identity/account/get-security-facts.ts";
import { renewRecoveryCodes } from "#server/identity/mfa/change-mfa.ts";
import { requireFreshMfa, sessionContext } from "#server/identity/step-up/fresh-mfa.ts";
import { comeBackLater } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/recovery-codes";
import { actorOf } from "./actor-of.ts";
import { nextInside } from "./next-inside.ts";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";

export const meta = titled("Recovery codes");

/** The codes are for this answer alone. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  requireFreshMfa(context, url, now());
  const root = securityRoot(context);
  const { id } = context.get(sessionContext);
  const facts = await getSecurityFacts(db, id, now());
  if (!facts.authenticatorSince && facts.passkeys.length === 0) throw redirect(root);
  return { root, left: facts.recoveryCodesLeft, siteName: config.siteName };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const actor = actorOf(request, context);
  requireFreshMfa(context, url, actor.now);
  return unlessRefused(
    async () => {
      const codes = await renewRecoveryCodes(context.get(appContext), actor);
      return data({ codes, fault: "" }, { headers: { "Cache-Control": "no-store" } });
    },
    (refusal) => {
      const later = comeBackLater(refusal, actor.now, "your codes still work");
      if (later) return data({ codes: [], fault: later.words }, later);
      // Without a factor there is nothing that codes could stand in for: the page says what to set up first.
      throw redirect(securityRoot(context));
    },
  );
}

export default function RecoveryCodes({ loaderData, actionData }: Route.ComponentProps) {
  const { root, left, siteName } = loaderData;
  const [params] = useSearchParams();
  const back = nextInside(params.get("next"), root);
  const onward = onwardTo(back);
  return (
    <>
      <PageHeader
        title="Recovery codes"
        description="Ten codes, in case you lose your device. Each works once in place of your app or passkey."
      />
      <div className={styles.narrow}>
        <Panel>
          {actionData?.fault ? <Notice tone="error">{actionData.fault}</Notice> : null}
          {actionData?.codes.length ? (
            <Codes codes={actionData.codes} siteName={siteName} back={back} onward={onward} />
          ) : (
            <Form method="post" className={styles.fields}>
              <p>
                {left === 0
                  ? "You have none yet. Print them or write them down, and keep them away from your device."
                  : `You have ${left} left. New ones take their place: the old ones stop working.`}
              </p>
              <div className={layout.row}>
                <SubmitButton pendingText="Making codes…">
                  {left === 0 ? "Make recovery codes" : "Make new codes"}
                </SubmitButton>
                <ButtonLink to={back} look="bare">
                  {left === 0 ? (onward ?? "Later") : "Keep the old ones"}
                </ButtonLink>
              </div>
            </Form>
          )}
        </Panel>
      </div>
    </>
  );
}

interface CodesProps {
  codes: string[];
  siteName: string;
  back: string;
  onward: string | null;
}

function Codes({ codes, siteName, back, onward }: CodesProps) {
  const hydrated = useHydrated();
  const text = `${siteName}: recovery codes\nEach works once.\n\n${codes.join("\n")}\n`;
  return (
    <>
      <Notice tone="warning" title="We show them only once">
        Keep them now. Anyone who has one of them and your password can sign in.
      </Notice>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={layout.row}>
        <ButtonLink to={back}>{onward ?? "I have kept them"}</ButtonLink>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          className={buttonClasses({ look: "quiet" })}
        >
          Download
        </a>
        {hydrated ? (
          <Button type="button" look="quiet" onClick={() => window.print()}>
            Print
          </Button>
        ) : null}
      </div>
    </>
  );
}

/** What the way on is called where it leads to what the second factor was set up for. */
function onwardTo(page: string): string | null {
  return page.startsWith("/account/withdraw") ? "Continue to your withdrawal" : null;
}
