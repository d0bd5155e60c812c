import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { countryName } from "#core/people/countries.ts";
import { listDecidedSubmissions, listWaitingSubmissions } from "#server/kyc/list-submissions.ts";
import { listKeys } from "../console-keys.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { QueuePage, useIsWhole } from "../parts/queue-page.tsx";
import { readRowFlags } from "../parts/read-flags.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { RowFlags } from "../parts/row-flags.tsx";
import { StateTabs } from "../parts/tabs.tsx";
import type { Route } from "./+types/list";

const pageSize = 50;

export const middleware = guard("kyc/read");
export const meta = titled("Verification");
export const handle = { keys: listKeys };

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const decided = url.searchParams.get("state") === "decided";
  const after = url.searchParams.get("after") ?? undefined;
  const waiting = decided ? [] : await listWaitingSubmissions(db, { after, limit: pageSize + 1 });
  const done = decided ? await listDecidedSubmissions(db, pageSize) : [];
  return {
    decided,
    now: now(),
    flags: await readRowFlags(
      context,
      waiting.map(({ customerId }) => customerId),
    ),
    waiting: waiting
      .slice(0, pageSize)
      .map((each) => ({ ...each, country: countryName(each.country) })),
    done: done.map((each) => ({ ...each, country: countryName(each.country) })),
    after: waiting.length > pageSize ? (waiting[pageSize - 1]?.id ?? null) : null,
  };
}

export default function KycQueue({ loaderData }: Route.ComponentProps) {
  const { decided, waiting, done, flags, now, after } = loaderData;
  const whole = useIsWhole(after);
  return (
    <QueuePage
      title="Verification"
      tools={
        <StateTabs
          label="Verifications by state"
          page="/operator/verification"
          states={[
            [null, "Waiting"],
            ["decided", "Decided"],
          ]}
          state={decided ? "decided" : null}
        />
      }
      empty={waiting.length + done.length === 0 ? <Nothing decided={decided} /> : null}
      order={decided ? "The last 50, newest decision first" : "Oldest first"}
      after={after}
    >
      {decided ? (
        <Decided done={done} />
      ) : (
        <Waiting waiting={waiting} flags={flags} now={now} whole={whole} />
      )}
    </QueuePage>
  );
}

function Nothing({ decided }: { decided: boolean }) {
  return decided ? (
    <EmptyState drawing="touchstone">Nothing has been decided yet.</EmptyState>
  ) : (
    <EmptyState drawing="seal">No customer is waiting to be verified.</EmptyState>
  );
}

type Data = Route.ComponentProps["loaderData"];

function Waiting(props: Pick<Data, "waiting" | "flags" | "now"> & { whole: boolean }) {
  const { waiting, flags, now, whole } = props;
  return (
    <ConsoleTable
      label="Verifications waiting, oldest first"
      rows={waiting}
      whole={whole}
      columns={[
        {
          head: "Customer",
          sort: "customer",
          value: "legalName",
          cell: (each) => (
            <>
              <Link to={`/operator/verification/${each.id}`} className={styles.link} data-row>
                {each.legalName}
              </Link>
              <div className={styles.second}>{each.email}</div>
              <RowFlags kinds={flags[each.customerId]} />
            </>
          ),
        },
        {
          head: "Waiting since",
          sort: "since",
          value: "submittedAt",
          cell: (each) => <Age at={each.submittedAt} now={now} />,
        },
        { head: "Country", sort: "country", value: "country" },
        {
          head: "Decisions",
          cell: (each) =>
            each.secondReviewReason === null ? (
              "One is enough"
            ) : (
              <>
                <StatusBadge status={`${each.approvals} of 2`} tone="waiting" />
                <div className={styles.second}>{each.secondReviewReason}</div>
              </>
            ),
        },
        {
          head: "Submitted before",
          cell: (each) =>
            each.earlier === 0 ? "No" : each.earlier === 1 ? "Once" : `${each.earlier} times`,
        },
      ]}
    />
  );
}

function Decided({ done }: Pick<Data, "done">) {
  return (
    <ConsoleTable
      label="Verifications decided, newest decision first"
      rows={done}
      columns={[
        { head: "Customer", value: "legalName", to: (each) => `/operator/verification/${each.id}` },
        { head: "Country", value: "country" },
        {
          head: "Outcome",
          cell: (each) => (
            <StatusBadge
              status={each.state}
              {...(each.state === "declined" && { tone: "bad" as const })}
            />
          ),
        },
        { head: "Submitted", value: "submittedAt" },
        { head: "Decided", value: "decidedAt" },
      ]}
    />
  );
}
