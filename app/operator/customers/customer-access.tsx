import { data, Form } from "react-router";
import { runAct } from "#app/run-act.ts";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import type { FlashKey } from "#app/ui/toasts/flash.ts";
import { freezeAsOperator } from "#server/identity/account/freeze-account.ts";
import { getAccess } from "#server/identity/account/get-security-facts.ts";
import { unfreezeAsOperator } from "#server/identity/account/unfreeze-account.ts";
import { resetMfaAsOperator } from "#server/identity/mfa/reset-mfa.ts";
import { withAddressCountry } from "#server/platform/address-country.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/customer-access";
import styles from "./customer-access.module.css";
import { CustomerFrame } from "./frame.tsx";
import { readSection } from "./read-section.ts";
import { SessionList } from "./session-list.tsx";

export const meta = titled("Access");
export const middleware = guard("customers/read", {
  freeze: "identity/freeze-account",
  unfreeze: "identity/unfreeze-account",
  "reset-factors": "identity/reset-mfa",
});
export const shouldRevalidate = readAfterConflict;

const acts = {
  freeze: { run: freezeAsOperator, said: "account-frozen" },
  unfreeze: { run: unfreezeAsOperator, said: "account-unfrozen" },
  "reset-factors": { run: resetMfaAsOperator, said: "factors-reset" },
} as const satisfies Record<string, { run: unknown; said: FlashKey }>;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { frame, db, at } = await readSection(context, params.customerId);
  const { ipCountry } = consoleOf(context);
  const access = await getAccess(db, frame.customer.id, at);
  return {
    frame,
    access: { ...access, sessions: access.sessions.map(withAddressCountry(ipCountry)) },
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const reason = String(form.get("reason") ?? "")
    .replaceAll("\0", "")
    .trim();
  const refuse = (fault: string) => data({ intent, reason, fault }, { status: 400 });
  if (!isAct(intent)) return refuse("This page does not know what to do.");
  if (reason === "") return refuse("Write the reason that the customer reads");
  if (reason.length > 1000) return refuse("At most 1000 characters");
  const now = app.now();
  const { customerId } = params;
  const freezeId = String(form.get("freezeId") ?? "");
  return runAct(
    async () => {
      await acts[intent].run(app, operator, { customerId, reason, freezeId, now });
      return { to: `/operator/customers/${customerId}`, say: acts[intent].said };
    },
    (said) => ({ intent, reason, fault: said.text }),
    sayRefusal,
  );
}

function isAct(intent: string): intent is keyof typeof acts {
  return Object.hasOwn(acts, intent);
}

export default function CustomerAccess({ loaderData, actionData }: Route.ComponentProps) {
  const { frame, access } = loaderData;
  const { freeze } = access;
  const hasMfa = access.authenticatorSince !== null || access.passkeys.length > 0;
  return (
    <CustomerFrame frame={frame}>
      <div className={styles.page}>
        {freeze ? (
          <Notice tone="warning" title="This account is frozen">
            {freeze.by === "self" ? "By its owner" : "By staff"}, <When at={freeze.frozenAt} />.{" "}
            {freeze.reason}
          </Notice>
        ) : null}
        <Panel title="What guards it">
          <Facts
            facts={[
              { label: "Authenticator app", value: access.authenticatorSince ? "Yes" : "No" },
              { label: "Passkeys", value: String(access.passkeys.length) },
              { label: "Recovery codes left", value: String(access.recoveryCodesLeft) },
              { label: "Money held until", value: access.moneyHeldUntil ?? "Not held" },
            ]}
          />
        </Panel>
        <SessionList sessions={access.sessions} />
        <Acts freezeId={freeze?.id ?? null} hasMfa={hasMfa} last={actionData} />
      </div>
    </CustomerFrame>
  );
}

interface ActsProps {
  freezeId: string | null;
  hasMfa: boolean;
  last: { intent: string; reason: string; fault: string } | undefined;
}

function Acts({ freezeId, hasMfa, last }: ActsProps) {
  const may = useMay();
  const of = (intent: string) => (last?.intent === intent ? last : null);
  return (
    <>
      {freezeId !== null && may("identity/unfreeze-account") ? (
        <ActForm
          intent="unfreeze"
          title="Open the account again"
          lead="After you have made sure who asks. The customer can sign in again; money stays for 24 hours more."
          button="Open the account"
          freezeId={freezeId}
          last={of("unfreeze")}
        />
      ) : null}
      {freezeId === null && may("identity/freeze-account") ? (
        <ActForm
          intent="freeze"
          title="Freeze the account"
          lead="The account is signed out everywhere. Until staff open it again, no one can sign in and nothing can be changed or paid out."
          button="Freeze and tell the customer"
          last={of("freeze")}
        />
      ) : null}
      {hasMfa && may("identity/reset-mfa") ? (
        <ActForm
          intent="reset-factors"
          title="Remove every second factor"
          lead="For a customer who has lost all of them, after you have made sure who asks. From then on the password alone signs in; money stays for 24 hours."
          button="Remove and tell the customer"
          last={of("reset-factors")}
        />
      ) : null}
    </>
  );
}

interface ActFormProps {
  intent: keyof typeof acts;
  title: string;
  lead: string;
  button: string;
  /** Which freeze ends. */
  freezeId?: string;
  last: { reason: string; fault: string } | null;
}

function ActForm({ intent, title, lead, button, freezeId, last }: ActFormProps) {
  return (
    <Panel title={title}>
      <Form method="post" className={layout.form}>
        <FormAlert errors={last ? [last.fault] : null} />
        {freezeId ? <input type="hidden" name="freezeId" value={freezeId} /> : null}
        <p className={styles.lead}>{lead}</p>
        <TextArea
          name="reason"
          label="Reason"
          description="The customer reads it, in a mail and in the account's history"
          rows={3}
          required
          maxLength={1000}
          defaultValue={last?.reason ?? ""}
        />
        <div>
          <SubmitButton
            name="intent"
            value={intent}
            look="outline"
            {...(intent === "unfreeze" ? {} : { tone: "brick" as const })}
          >
            {button}
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
