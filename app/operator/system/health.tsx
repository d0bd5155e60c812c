import { Link } from "react-router";
import { SelectField } from "#app/ui/controls/select-field.tsx";
import { TextField } from "#app/ui/controls/text-field.tsx";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { silenceHours } from "#core/late.ts";
import { findSilence, listAlarms } from "#server/console/alarms/list-alarms.ts";
import { endSilence, silenceAlarms } from "#server/console/alarms/silence-alarms.ts";
import { readStanding } from "#server/console/today/read-standing.ts";
import { listKeys } from "../console-keys.ts";
import entries from "../customers/customer-lists.module.css";
import { ActForm, type FormAnswer } from "../parts/act-form.tsx";
import { answerAct } from "../parts/answer-act.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/health";
import { endSilenceSchema, silenceSchema } from "./health-schema.ts";

export const middleware = guard("console/read", {
  silence: "console/silence-alarms",
  end: "console/end-silence",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Health");
export const handle = { keys: listKeys };

const mostAlarms = 100;
/** How often the page is read again while somebody looks at it. */
const refreshMs = 30_000;
/** What is late is looked for each minute. */
const seenWithinMs = 120_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now, operator } = consoleOf(context);
  const [alarms, silence, { backups }] = await Promise.all([
    listAlarms(db, operator.role, mostAlarms),
    findSilence(db, now()),
    readStanding(db, now()),
  ]);
  const isGone = (seenAt: Date) => now().getTime() - seenAt.getTime() > seenWithinMs;
  const listed = alarms.map((each) => ({ ...each, isGone: isGone(each.seenAt) }));
  return {
    alarms: listed,
    silence,
    backups: config.backups && { ...backups, to: config.backups.folder },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  if (form.get("intent") === "end") {
    return answerAct(form, endSilenceSchema, async ({ silenceId }) => {
      await endSilence(db, operator, silenceId, now());
      return { to: "/operator/health", say: "saved" };
    });
  }
  return answerAct(form, silenceSchema, async (wanted) => {
    await silenceAlarms(db, operator, wanted, now());
    return { to: "/operator/health", say: "saved" };
  });
}

export default function Health({ loaderData, actionData }: Route.ComponentProps) {
  const { alarms, silence, backups } = loaderData;
  const may = useMay();
  useRefresh(refreshMs);
  return (
    <>
      <PageHeader
        title="Health"
        description="What is late, and what was. Staff whose role may act on it get an e-mail once it has lasted three minutes, once a day while it goes on, and when it is over."
      />
      <div className={layout.stack}>
        {silence ? (
          <Notice tone="warning" title="Planned work: no e-mails about what is late">
            {silence.by}, until <When at={silence.endsAt} />: {silence.reason}
            {may("console/end-silence") ? (
              <ActForm
                intent="end"
                hidden={{ silenceId: silence.id }}
                answer={actionData}
                button="End it now"
                pendingText="Ending…"
                tone="plain"
              />
            ) : null}
          </Notice>
        ) : null}
        <div className={layout.main}>
          <div className={layout.stack}>
            <LateNow alarms={alarms.filter(({ endedAt }) => endedAt === null)} />
            <Over alarms={alarms.filter(({ endedAt }) => endedAt !== null)} />
          </div>
          <div className={layout.stack}>
            <Backups backups={backups} />
            {may("console/silence-alarms") && !silence ? <PlannedWork answer={actionData} /> : null}
          </div>
        </div>
      </div>
    </>
  );
}

type Alarm = Route.ComponentProps["loaderData"]["alarms"][number];

function LateNow({ alarms }: { alarms: Alarm[] }) {
  return (
    <Panel title="Late now" flush>
      {alarms.length === 0 ? <p className={list.empty}>Nothing is late.</p> : null}
      <ul className={layout.plain}>
        {alarms.map(({ id, to, words, advice, lateSince, begunAt, seenAt, isGone, toldAt }) => (
          <li key={id} className={entries.entry}>
            <Link to={to} className={list.link} data-row>
              {words}
            </Link>
            <div>{advice}</div>
            <div className={layout.quiet}>
              Since <When at={lateSince ?? begunAt} />.{" "}
              {toldAt ? (
                <>
                  Staff were told on <When at={toldAt} />.
                </>
              ) : (
                "Staff are not told yet."
              )}
              {isGone ? (
                <>
                  {" "}
                  Not late any more since <When at={seenAt} />: over once that has lasted for ten
                  minutes.
                </>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Over({ alarms }: { alarms: Alarm[] }) {
  if (alarms.length === 0) return null;
  return (
    <>
      <ConsoleTable
        label="What was late"
        rows={alarms}
        columns={[
          { head: "Over", kind: "what", value: "words", to: ({ to }) => to },
          { head: "Since", value: ({ lateSince, begunAt }) => lateSince ?? begunAt },
          { head: "Until", value: "endedAt" },
          { head: "Staff told", cell: ({ toldAt }) => (toldAt ? "yes" : "no") },
        ]}
      />
      {alarms.length === mostAlarms ? (
        <p className={layout.note}>Only the newest {mostAlarms} are shown.</p>
      ) : null}
    </>
  );
}

function Backups({ backups }: Pick<Route.ComponentProps["loaderData"], "backups">) {
  if (!backups) {
    return (
      <Panel title="Backups">
        <p>
          This product makes none: <code>BACKUP_FOLDER</code> is not set. A PostgreSQL of your own
          is backed up by its own tools.
        </p>
      </Panel>
    );
  }
  const { backup, wal, drill, to } = backups;
  return (
    <Panel title="Backups">
      <Facts
        facts={[
          { label: "Newest backup", value: backup ?? "none yet" },
          { label: "All that was written is kept up to", value: wal ?? "nothing yet" },
          { label: "Kept in", code: to },
          { label: "Last drill", value: drill?.at ?? "never" },
          drill && {
            label: "What it found",
            value: drill.holds ? "everything held" : "it did not hold",
          },
          drill?.holds ? { label: "Restored up to", value: drill.upTo } : null,
          drill?.holds ? { label: "Restoring took", value: `${drill.seconds} s` } : null,
        ]}
      />
    </Panel>
  );
}

function PlannedWork({ answer }: { answer: FormAnswer | undefined }) {
  return (
    <Panel title="Planned work">
      <ActForm
        intent="silence"
        rules={async () => (await import("./health-schema.ts")).silenceSchema}
        answer={answer}
        defaults={{ hours: "2" }}
        button="Keep them back"
        pendingText="Saving…"
        tone="plain"
      >
        {(form) => (
          <>
            <SelectField
              label="How long"
              choices={silenceHours.map((hours) => ({
                value: String(hours),
                label: hours === 1 ? "1 hour" : `${hours} hours`,
              }))}
              {...form.field("hours")}
            />
            <TextField
              label="What is being done"
              description="Colleagues see it here, and the audit log keeps it. What is late is listed all the same, and told afterwards if it goes on"
              maxLength={300}
              {...form.field("reason")}
            />
          </>
        )}
      </ActForm>
    </Panel>
  );
}
