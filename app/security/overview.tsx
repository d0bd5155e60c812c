import { data, Form } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { leadOn, runAct } from "#app/run-act.ts";
import { sayFactor } from "#app/say-factor.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { TimeLeft } from "#app/ui/figures/time-left.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { securityTerms } from "#core/people/security-terms.ts";
import { type App, appContext } from "#server/app-context.ts";
import { getSecurityFacts } from "#server/identity/account/get-security-facts.ts";
import { listAccountHistory } from "#server/identity/account/list-account-history.ts";
import type { Actor } from "#server/identity/audit/actor.ts";
import { removePasskey, removeTotp } from "#server/identity/mfa/change-mfa.ts";
import { passkeySite } from "#server/identity/mfa/passkey-site.ts";
import { endSessions } from "#server/identity/sessions/end-sessions.ts";
import {
  chooseMorningMail,
  getsMorningMail,
} from "#server/identity/settings/choose-morning-mail.ts";
import { confirmPage, isFresh, sessionContext } from "#server/identity/step-up/fresh-mfa.ts";
import { withAddressCountry } from "#server/platform/address-country.ts";
import type { Route } from "./+types/overview";
import { actorOf } from "./actor-of.ts";
import { Factors } from "./factors.tsx";
import { HistoryPanel } from "./history-list.tsx";
import styles from "./security.module.css";
import { securityRoot } from "./security-root.ts";
import { Sessions } from "./sessions.tsx";

export const meta = titled("Security");
export const headers = answerHeaders;

const newest = 5;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, ipCountry, now } = context.get(appContext);
  const { id, kind, session } = context.get(sessionContext);
  const at = now();
  const [facts, history, morningMail] = await Promise.all([
    getSecurityFacts(db, id, at),
    listAccountHistory(db, id, { page: 1, show: newest }),
    kind === "operator" ? getsMorningMail(db, id) : null,
  ]);
  return {
    now: at,
    root: securityRoot(context),
    isStaff: kind === "operator",
    morningMail,
    here: session.id,
    facts: { ...facts, sessions: facts.sessions.map(withAddressCountry(ipCountry)) },
    history: { ...history, entries: history.entries.map(withAddressCountry(ipCountry)) },
    passkeysHere: passkeySite(config) !== null,
    address: config.appUrl,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const actor = actorOf(request, context);
  const form = await request.formData();
  const intent = form.get("intent");
  const id = String(form.get("id") ?? "");
  const root = securityRoot(context);
  const { kind } = context.get(sessionContext);
  if (intent === "morning-mail" && kind === "operator") return chooseMail(app, actor, form, root);
  if (!isKnown(intent, id))
    return data(
      { fault: "We do not know this form. Nothing was changed. Reload the page and try again." },
      { status: 400 },
    );
  // Who has taken a session over shall not end those of its owner.
  if (!isFresh(context, actor.now)) {
    return leadOn({ to: confirmPage(context, root), say: "confirm-first" });
  }
  if (intent === "end" || intent === "end-others") {
    await endSessions(app.db, actor, intent === "end" ? { sessionId: id } : "all others");
    return leadOn({ to: root, say: "sessions-ended" });
  }
  return runAct(
    async () => {
      if (intent === "remove-authenticator") await removeTotp(app, actor);
      else await removePasskey(app, actor, id);
      return { to: root, say: "factor-removed" };
    },
    (said) => ({ fault: said.text }),
    sayFactor(actor.now),
  );
}

async function chooseMail({ db }: App, actor: Actor, form: FormData, root: string) {
  const { userId: operatorId, clientAddress: ipAddress, userAgent, now } = actor;
  const isWanted = form.get("wanted") === "yes";
  const browser = { ipAddress, userAgent };
  await chooseMorningMail(db, { operatorId, isWanted, browser, now });
  return leadOn({ to: root, say: isWanted ? "morning-mail-on" : "morning-mail-off" });
}

/** The buttons of this page; those about one of several say which. */
function isKnown(intent: unknown, id: string): boolean {
  if (intent === "end" || intent === "remove-passkey") return isUuid(id);
  return intent === "end-others" || intent === "remove-authenticator";
}

export default function Security({ loaderData, actionData }: Route.ComponentProps) {
  const { root, isStaff, here, facts, history, passkeysHere, address, morningMail } = loaderData;
  return (
    <>
      <PageHeader
        title="Security"
        description="How you sign in, where you are signed in, and what was done in your account."
      />
      <div className={layout.stack}>
        <FormAlert errors={actionData ? [actionData.fault] : null} />
        {facts.moneyHeldUntil && !isStaff ? (
          <Held until={facts.moneyHeldUntil} now={loaderData.now} />
        ) : null}
        <Factors
          root={root}
          facts={facts}
          isStaff={isStaff}
          passkeysHere={passkeysHere}
          address={address}
        />
        {morningMail === null ? null : <MorningMail isOn={morningMail} />}
        <Sessions sessions={facts.sessions} here={here} />
        <HistoryPanel root={root} history={history} />
      </div>
    </>
  );
}

function Held({ until, now }: { until: Date; now: Date }) {
  return (
    <Notice tone="warning" title="Withdrawals are paused">
      Your sign-in details changed, so withdrawals are paused for {securityTerms.changeHoldHours}{" "}
      hours. They are possible again in{" "}
      <strong>
        <TimeLeft until={until} now={now} />
      </strong>
      , from <When at={until} /> on.
    </Notice>
  );
}

/** Whether a member of staff is mailed each morning what waits for them. */
function MorningMail({ isOn }: { isOn: boolean }) {
  return (
    <Panel
      title="Morning e-mail"
      aside={<StatusBadge status={isOn ? "on" : "off"} tone={isOn ? "good" : "plain"} />}
    >
      <Form method="post" preventScrollReset className={styles.switch}>
        <p className={styles.words}>
          At 07:00 UTC we e-mail you what waits for you in the console. On days when nothing does,
          we send nothing.
        </p>
        <input type="hidden" name="wanted" value={isOn ? "no" : "yes"} />
        <SubmitButton
          name="intent"
          value="morning-mail"
          look="quiet"
          size="small"
          pendingText="Saving…"
        >
          {isOn ? "Switch it off" : "Switch it on"}
        </SubmitButton>
      </Form>
    </Panel>
  );
}
