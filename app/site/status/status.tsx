import { cachedPage } from "#app/plain-page.ts";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { statusParts } from "#core/status.ts";
import { appContext } from "#server/app-context.ts";
import { daysShown, listStatus } from "#server/console/status/list-status.ts";
import { SitePage } from "../frame/site-page.tsx";
import type { Route } from "./+types/status";
import styles from "./status.module.css";

export const handle = cachedPage();

export const meta = pageMeta({
  title: "Status",
  description: "What works at the moment, what is late and since when, and what was late before.",
  path: "/status",
});

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const at = now();
  return { ...(await listStatus(db, config, at)), at, daysShown };
}

export default function Status({ loaderData }: Route.ComponentProps) {
  const { parts, past, plannedUntil, at, daysShown: days } = loaderData;
  const late = parts.filter(({ lateSince }) => lateSince !== null);
  return (
    <SitePage
      width="middle"
      title="Status"
      lead={
        <>
          {late.length === 0 ? "Everything works." : "Not everything works at the moment."}{" "}
          {plannedUntil ? (
            <>
              Planned work goes on until <When at={plannedUntil} />.{" "}
            </>
          ) : null}
          This is as of <When at={at} />. The page is made anew every few seconds while anyone
          looks; if that time is old, our database cannot be reached.
        </>
      }
    >
      <section className={styles.section} aria-labelledby="now">
        <h2 id="now">Now</h2>
        <DataTable
          label="What works, and what is late"
          rows={parts}
          rowKey={({ part }) => part}
          columns={[
            {
              head: "What",
              names: true,
              cell: ({ part, lateSince }) => (
                <>
                  {statusParts[part].name}
                  {lateSince ? (
                    <span className={styles.late}>
                      Since <When at={lateSince} />. {statusParts[part].late}
                    </span>
                  ) : null}
                </>
              ),
            },
            {
              head: "State",
              cell: ({ lateSince }) =>
                lateSince ? (
                  <StatusBadge status="late" tone="waiting" />
                ) : (
                  <StatusBadge status="works" tone="good" />
                ),
            },
          ]}
        />
      </section>
      <section className={styles.section} aria-labelledby="before">
        <h2 id="before">The last {days} days</h2>
        {past.length === 0 ? (
          <p>{`${late.length === 0 ? "Nothing" : "Nothing else"} was late for longer than three minutes.`}</p>
        ) : (
          <DataTable
            label="What was late, newest first"
            dense
            rows={past}
            rowKey={({ part, from }, index) => `${part} ${+from} ${index}`}
            columns={[
              { head: "What", names: true, cell: ({ part }) => statusParts[part].name },
              {
                head: "When",
                cell: ({ from, until }) => (
                  <>
                    <When at={from} />{" "}
                    <span className={styles.until}>
                      until <When at={until} />
                    </span>
                  </>
                ),
              },
            ]}
          />
        )}
      </section>
    </SitePage>
  );
}
