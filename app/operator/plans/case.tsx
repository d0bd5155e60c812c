import { randomUUID } from "node:crypto";
import { Link } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormKey } from "#app/ui/forms/form-key.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { isUuid } from "#core/is-uuid.ts";
import { formatHashrate, writeThs } from "#core/mining/hashrate.ts";
import { utcDay } from "#core/utc-day.ts";
import {
  announceMaintenance,
  earliestChange,
} from "#server/contracts/maintenance/announce-maintenance.ts";
import {
  countHolders,
  listMaintenanceChanges,
  listVersionUse,
} from "#server/contracts/maintenance/list-maintenance-changes.ts";
import { withdrawMaintenance } from "#server/contracts/maintenance/withdraw-maintenance.ts";
import { changeDraft } from "#server/contracts/plans/change-draft.ts";
import { draftVersion } from "#server/contracts/plans/draft-version.ts";
import { findAuthor } from "#server/contracts/plans/find-author.ts";
import { findVersion } from "#server/contracts/plans/find-version.ts";
import { markOfTerms } from "#server/contracts/plans/plan.ts";
import { publishPlan } from "#server/contracts/plans/publish-plan.ts";
import { retirePlan } from "#server/contracts/plans/retire-plan.ts";
import { listEnergyCosts } from "#server/fleet/list-energy-prices.ts";
import { findProjectedStart } from "#server/markets/find-projected-start.ts";
import type { Db } from "#server/platform/database.ts";
import { ActForm, type FormAnswer } from "../parts/act-form.tsx";
import { answerAct, nothingToFill } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { counted } from "../parts/counted.ts";
import { Folded } from "../parts/folded.tsx";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/case";
import styles from "./plan.module.css";
import { PlanCard } from "./plan-card.tsx";
import { PlanFields } from "./plan-fields.tsx";
import { PlanOutlook } from "./plan-outlook.tsx";
import { asTerms, changeSchema, draftSchema, seenSchema, withdrawSchema } from "./plan-schema.ts";

export const middleware = guard("plans/read", {
  save: "plans/draft",
  version: "plans/draft",
  publish: "plans/publish",
  retire: "plans/retire",
  announce: "contracts/announce-maintenance",
  withdraw: "contracts/withdraw-maintenance",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  return [{ title: `${loaderData?.version.name ?? "Plan"} · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now, operator } = consoleOf(context);
  const version = await getVersion(db, params.versionId);
  const [changes, uses, holders, energyCosts, start] = await Promise.all([
    listMaintenanceChanges(db, version.id),
    listVersionUse(db),
    countHolders(db, version.id),
    listEnergyCosts(db, utcDay(now())),
    findProjectedStart(db, now()),
  ]);
  const use = uses.find(({ versionId }) => versionId === version.id);
  return {
    version,
    mark: markOfTerms(version),
    energyCosts,
    start,
    changes,
    use: use ? { ...use, customers: holders } : null,
    earliest: earliestChange(now()),
    now: now(),
    newChangeId: randomUUID(),
    author: await findAuthor(db, version.id, operator.id),
  };
}

async function getVersion(db: Db, versionId: string) {
  const version = found(isUuid(versionId) ? await findVersion(db, versionId) : null);
  return version;
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { id: versionId, planId } = await getVersion(db, params.versionId);
  const form = await request.formData();
  const to = `/operator/plans/${versionId}`;
  switch (form.get("intent")) {
    case "publish":
      return answerAct(form, seenSchema, async ({ seen }) => {
        await publishPlan(db, operator, { versionId, seen }, now());
        return { to, say: "plan-published" };
      });
    case "retire":
      return answerAct(form, nothingToFill, async () => {
        await retirePlan(db, operator, versionId, now());
        return { to, say: "plan-retired" };
      });
    case "version":
      return answerAct(form, nothingToFill, async () => {
        const draft = await draftVersion(db, operator, planId, now());
        return { to: `/operator/plans/${draft.versionId}`, say: "plan-drafted" };
      });
    case "announce":
      return answerAct(form, changeSchema, async ({ fee, ...change }) => {
        await announceMaintenance(db, operator, { ...change, versionId, usdMicros: fee }, now());
        return { to, say: "maintenance-announced" };
      });
    case "withdraw":
      return answerAct(form, withdrawSchema, async ({ changeId }) => {
        await withdrawMaintenance(db, operator, changeId, now());
        return { to, say: "maintenance-withdrawn" };
      });
    default:
      return answerAct(form, draftSchema, async ({ seen, ...typed }) => {
        await changeDraft(db, operator, { versionId, terms: asTerms(typed), seen }, now());
        return { to, say: "plan-drafted" };
      });
  }
}

const stateTones = { draft: "waiting", published: "good", retired: "plain" } as const;

type PageData = Route.ComponentProps["loaderData"];

export default function PlanPage({ loaderData, actionData }: Route.ComponentProps) {
  const { version, mark, use } = loaderData;
  const may = useMay();
  const isEdited = version.state === "draft" && may("plans/draft");
  return (
    <>
      <PageHeader
        title={version.name}
        description={
          <>
            Version {version.version} of {version.slug} ·{" "}
            <Link to="/operator/plans">All plans</Link>
          </>
        }
      />
      <div className={layout.main}>
        <div className={layout.stack}>
          {isEdited ? (
            <Panel title="Terms">
              <DraftForm
                version={version}
                mark={mark}
                answer={actionData}
                energyCosts={loaderData.energyCosts}
                start={loaderData.start}
              />
            </Panel>
          ) : null}
          <Panel title="As customers see it">
            <PlanCard plan={version} />
            {/* While one can change the draft, its form warns. */}
            <PlanOutlook terms={version} start={loaderData.start} warns={!isEdited} />
          </Panel>
          {version.state === "draft" ? null : (
            <Maintenance loaderData={loaderData} answer={actionData} />
          )}
        </div>
        <div className={layout.stack}>
          <Panel title="State">
            <Facts
              facts={[
                {
                  label: "State",
                  value: <StatusBadge status={version.state} tone={stateTones[version.state]} />,
                },
                { label: "Drafted", value: version.createdAt },
                { label: "By", value: version.draftedBy ?? "on the server" },
                { label: "Offered since", value: version.publishedAt },
                version.publishedAt && {
                  label: "By",
                  value: version.publishedBy ?? "on the server",
                },
                { label: "Retired", value: version.retiredAt },
                {
                  label: "Offered in all",
                  value: version.offeredGhs
                    ? formatHashrate(version.offeredGhs)
                    : "Whatever is free",
                },
                {
                  label: "Running",
                  value: use
                    ? `${formatHashrate(use.ghs)}, ${counted(use.contracts, "contract")} of ${counted(use.customers, "customer")}`
                    : "Nothing yet",
                },
              ]}
            />
          </Panel>
          <Next version={version} mark={mark} answer={actionData} author={loaderData.author} />
        </div>
      </div>
    </>
  );
}

interface VersionProps {
  version: PageData["version"];
  mark: string;
  answer: FormAnswer | undefined;
}

function DraftForm({
  version,
  mark,
  answer,
  energyCosts,
  start,
}: VersionProps & Pick<PageData, "energyCosts" | "start">) {
  return (
    <ActForm
      key={mark}
      intent="save"
      rules={async () => (await import("./plan-schema.ts")).draftSchema}
      answer={answer}
      hidden={{ seen: mark }}
      defaults={{
        name: version.name,
        unit: writeThs(version.unitGhs),
        termDays: `${version.termDays}`,
        mostUnits: `${version.mostUnits}`,
        offered: version.offeredGhs ? writeThs(version.offeredGhs) : "",
        machines: writeDecimal(version.machinesUsdCents, 2),
        setup: writeDecimal(version.setupUsdCents, 2),
        margin: writeDecimal(version.marginUsdCents, 2),
        energy: writeDecimal(version.energyUsdMicros, 6),
        operation: writeDecimal(version.operationUsdMicros, 6),
        maintenanceMargin: writeDecimal(version.maintenanceMarginUsdMicros, 6),
        termination: version.termination,
      }}
      button="Save the draft"
      pendingText="Saving…"
      tone="plain"
    >
      {(form) => <PlanFields form={form} energyCosts={energyCosts} start={start} />}
    </ActForm>
  );
}

/** What can become of a version now. */
function Next({ version, mark, answer, author }: VersionProps & Pick<PageData, "author">) {
  const may = useMay();
  if (version.state === "draft") {
    const isForOthers = author.isOwn && author.hasOther;
    return (
      <Panel title="Publish the plan">
        {isForOthers && may("plans/publish") ? (
          <Notice title="Waits for another person">
            You wrote this draft. Another approver or owner publishes exactly what the card shows.
          </Notice>
        ) : may("plans/publish") ? (
          <ActForm
            intent="publish"
            rules={async () => (await import("./plan-schema.ts")).seenSchema}
            answer={answer}
            hidden={{ seen: mark }}
            button="Publish exactly this"
            pendingText="Publishing…"
          >
            {() => (
              <>
                {author.isOwn ? (
                  <Notice>
                    You publish your own draft: no other approver or owner has set a password yet.
                    The audit log says so.
                  </Notice>
                ) : null}
                <p className={styles.second}>
                  What the card shows is offered from then on and never rewritten. A version that is
                  offered now is retired by it; contracts keep theirs.
                </p>
              </>
            )}
          </ActForm>
        ) : (
          <Notice title="Waits for an approver">
            Your role drafts plans. An approver or an owner publishes them.
          </Notice>
        )}
      </Panel>
    );
  }
  return (
    <Panel title="Change the plan">
      <div className={styles.actions}>
        {may("plans/draft") ? (
          <ActForm
            intent="version"
            answer={answer}
            button="Draft the next version"
            pendingText="Drafting…"
            tone="plain"
          />
        ) : null}
        {version.state === "published" && may("plans/retire") ? (
          <ActForm
            intent="retire"
            answer={answer}
            button="Retire the plan"
            pendingText="Retiring…"
            tone="danger"
          />
        ) : null}
      </div>
    </Panel>
  );
}

function Maintenance({
  loaderData,
  answer,
}: {
  loaderData: PageData;
  answer: FormAnswer | undefined;
}) {
  const { version, changes, use, earliest, newChangeId, now } = loaderData;
  const may = useMay();
  const today = new Date(now).toISOString().slice(0, 10);
  return (
    <Panel title="Maintenance of running contracts">
      <div className={layout.stack}>
        {changes.length === 0 ? (
          <p className={styles.second}>
            As it was published: ${writeDecimal(version.maintenanceUsdMicros, 6)} per TH/s and day.
            No change was announced.
          </p>
        ) : (
          <ConsoleTable
            label="Announced changes, the latest day first"
            rows={changes}
            columns={[
              {
                head: "From",
                kind: "day",
                value: "effectiveFrom",
                second: (change) => (change.withdrawnAt ? "cancelled" : null),
              },
              {
                head: "Per TH/s and day",
                kind: "number",
                cell: (change) => <>${writeDecimal(change.usdMicros, 6)}</>,
              },
              { head: "Reason", kind: "memo", value: "reason" },
              {
                head: "Announced",
                cell: (change) => (
                  <>
                    <When at={change.announcedAt} />
                    <div className={list.second}>{change.by ?? "on the server"}</div>
                    {!change.withdrawnAt &&
                    change.effectiveFrom > today &&
                    may("contracts/withdraw-maintenance") ? (
                      <ActForm
                        intent="withdraw"
                        id={`withdraw-${change.id}`}
                        rules={async () => (await import("./plan-schema.ts")).withdrawSchema}
                        answer={answer}
                        hidden={{ changeId: change.id }}
                        button="Cancel change"
                        pendingText="Cancelling…"
                        tone="plain"
                      />
                    ) : null}
                  </>
                ),
              },
            ]}
          />
        )}
        {may("contracts/announce-maintenance") ? (
          <Folded title="Announce another fee" open={answer?.form === "announce"}>
            <ActForm
              key={changes.length}
              intent="announce"
              rules={async () => (await import("./plan-schema.ts")).changeSchema}
              answer={answer}
              defaults={{ effectiveFrom: earliest }}
              button={use ? `Announce it to ${counted(use.customers, "customer")}` : "Announce it"}
              pendingText="Announcing…"
            >
              {(form) => (
                <>
                  <FormKey name="changeId" fresh={newChangeId} />
                  <Notice>
                    {use
                      ? `${counted(use.customers, "customer")} with ${counted(use.contracts, "running contract")} (${formatHashrate(use.ghs)}) will get a mail.`
                      : "No contract runs under this version, so no mail is sent."}
                  </Notice>
                  <TextField
                    label="From (UTC day)"
                    description={`At least seven days ahead: ${earliest} at the earliest`}
                    type="date"
                    {...form.field("effectiveFrom")}
                  />
                  <TextField
                    label="Dollars per TH/s and day"
                    description="Where a colleague could: by at most half, and once in four weeks of one person"
                    inputMode="decimal"
                    {...form.field("fee")}
                  />
                  <TextArea
                    label="Reason"
                    description="Customers read it in the mail"
                    rows={3}
                    {...form.field("reason")}
                  />
                </>
              )}
            </ActForm>
          </Folded>
        ) : null}
      </div>
    </Panel>
  );
}
