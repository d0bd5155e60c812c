import { randomUUID } from "node:crypto";
import { Link } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import type { FormFields } from "#app/ui/forms/use-form.ts";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import { formatHashrate, writeThs } from "#core/mining/hashrate.ts";
import { utcDay } from "#core/utc-day.ts";
import { correctOutage } from "#server/fleet/correct-outage.ts";
import { listDeliveries } from "#server/fleet/list-deliveries.ts";
import { listOutageVersions, type OutageVersion } from "#server/fleet/list-outage-versions.ts";
import { listSites } from "#server/fleet/list-sites.ts";
import { withdrawOutage } from "#server/fleet/withdraw-outage.ts";
import { ActForm, type FormAnswer } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { Folded } from "../parts/folded.tsx";
import { consoleOf, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/outage";
import { outageCorrectionSchema, outageWithdrawalSchema } from "./fleet-schema.ts";
import { OutageFields, outagePlaces } from "./outage-fields.tsx";
import { OutageState } from "./outage-state.tsx";
import { readOutagePlace } from "./read-outage-place.ts";

export const middleware = guard("fleet/read", {
  correct: "fleet/correct-outage",
  withdraw: "fleet/withdraw-outage",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Outage");

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const versions = isUuid(params.outageId) ? await listOutageVersions(db, params.outageId) : null;
  const last = versions?.at(-1);
  if (!versions || !last) throw notFound();
  const [sites, deliveries] = await Promise.all([listSites(db), listDeliveries(db, utcDay(now()))]);
  return { versions, last, places: outagePlaces(sites, deliveries), correctionId: randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const to = (id: string) => ({ to: `/operator/fleet/outages/${id}`, say: "fleet-saved" }) as const;
  if (form.get("intent") === "withdraw") {
    return answerAct(form, outageWithdrawalSchema, async (wanted) => {
      await withdrawOutage(db, operator, wanted, now());
      return to(wanted.outageId);
    });
  }
  return answerAct(form, outageCorrectionSchema, async (typed) => {
    const { what, at, until = null, seen, lost, ...rest } = typed;
    const words = { startedAt: at, endedAt: until, lostGhs: lost, ...readOutagePlace(what) };
    const seenEnd = seen ? new Date(seen) : null;
    await correctOutage(db, operator, { ...rest, ...words, seenEnd }, now());
    return to(typed.correctionId);
  });
}

export default function OutagePage({ loaderData, actionData }: Route.ComponentProps) {
  const { versions, last } = loaderData;
  return (
    <>
      <PageHeader
        title={`Outage at ${last.siteName}`}
        description={
          <>
            What was noted of it, and what was corrected. Customers read what is noted now; receipts
            of days that were posted before keep what they said, and say that it was corrected.{" "}
            <Link to="/operator/fleet/outages">All outages</Link>
          </>
        }
      />
      <div className={layout.main}>
        <Versions versions={versions} last={last} />
        {last.withdrawnAt ? null : <Change {...loaderData} key={last.id} answer={actionData} />}
      </div>
    </>
  );
}

function Versions({ versions, last }: { versions: OutageVersion[]; last: OutageVersion }) {
  return (
    <ConsoleTable
      label="What was noted, the newest first"
      rows={versions.toReversed()}
      columns={[
        {
          head: "What",
          value: "siteName",
          second: ({ model, lostGhs }) => `${model ?? "all machines"}, ${formatHashrate(lostGhs)}`,
        },
        {
          head: "Since and until",
          cell: (version) => (
            <>
              <When at={version.startedAt} />
              {version.endedAt ? (
                <div>
                  <When at={version.endedAt} />
                </div>
              ) : null}
              {version.id === last.id ? (
                <OutageState outage={{ ...version, isCorrected: false }} />
              ) : (
                <div className={list.second}>replaced</div>
              )}
            </>
          ),
        },
        {
          head: "Reason",
          kind: "memo",
          cell: ({ reason, correctionReason, withdrawalReason }) => (
            <>
              {reason}
              {correctionReason ? <div>Corrected: {correctionReason}</div> : null}
              {withdrawalReason ? <div>Taken back: {withdrawalReason}</div> : null}
            </>
          ),
        },
        {
          head: "Noted",
          cell: ({ createdAt, by, withdrawnAt, withdrawnBy }) => (
            <>
              <When at={createdAt} />
              <div className={list.second}>{by ?? "on the server"}</div>
              {withdrawnAt ? (
                <>
                  <div className={list.second}>taken back</div>
                  <When at={withdrawnAt} />
                  <div className={list.second}>{withdrawnBy ?? "on the server"}</div>
                </>
              ) : null}
            </>
          ),
        },
      ]}
    />
  );
}

interface ChangeProps {
  last: OutageVersion;
  places: ReturnType<typeof outagePlaces>;
  correctionId: string;
  answer: FormAnswer | undefined;
}

function Change({ last, places, correctionId, answer }: ChangeProps) {
  const may = useMay();
  if (!may("fleet/correct-outage")) return null;
  const until = last.endedAt ? forInput(last.endedAt) : "";
  return (
    <Panel title="It was otherwise">
      <div className={layout.stack}>
        <Folded title="Correct it" open={answer?.form === "correct"}>
          <ActForm
            intent="correct"
            rules={async () => (await import("./fleet-schema.ts")).outageCorrectionSchema}
            answer={answer}
            seen={{
              mark: last.endedAt?.toISOString() ?? "",
              again: (typed) => ({ until: String(typed["until"] ?? until) }),
            }}
            hidden={{ outageId: last.id, correctionId }}
            defaults={{
              what: last.deliveryId ? `${last.siteId}/${last.deliveryId}` : last.siteId,
              at: forInput(last.startedAt),
              until,
              lost: writeThs(last.lostGhs),
              reason: last.reason,
            }}
            button="Correct the outage"
            pendingText="Saving…"
            tone="plain"
          >
            {(form) => (
              <>
                <OutageFields form={form} places={places} until={form.field("until")} />
                <Why field={form.field("why")} label="Why it is corrected" />
              </>
            )}
          </ActForm>
        </Folded>
        <Folded title="It never was" open={answer?.form === "withdraw"}>
          <ActForm
            intent="withdraw"
            rules={async () => (await import("./fleet-schema.ts")).outageWithdrawalSchema}
            answer={answer}
            hidden={{ outageId: last.id }}
            button="Take the outage back"
            pendingText="Saving…"
            tone="danger"
          >
            {(form) => <Why field={form.field("why")} label="Why it is taken back" />}
          </ActForm>
        </Folded>
      </div>
    </Panel>
  );
}

function Why({ field, label }: { field: ReturnType<FormFields["field"]>; label: string }) {
  return (
    <TextArea label={label} description="Customers read it on their receipts" rows={2} {...field} />
  );
}

/** As an input of the kind datetime-local takes it, in UTC. */
function forInput(at: Date): string {
  return at.toISOString().slice(0, at.getUTCSeconds() === 0 ? 16 : 19);
}
