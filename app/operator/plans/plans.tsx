import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { Usd } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { appContext } from "#server/app-context.ts";
import { listVersionUse } from "#server/contracts/maintenance/list-maintenance-changes.ts";
import { listVersions } from "#server/contracts/plans/list-versions.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleError } from "../parts/console-error.tsx";
import list from "../parts/console-list.module.css";
import { counted } from "../parts/counted.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/plans";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("plans/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Plans");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const [versions, uses] = await Promise.all([listVersions(db), listVersionUse(db)]);
  return {
    versions: versions.map((version) => ({
      id: version.id,
      slug: version.slug,
      version: version.version,
      name: version.name,
      state: version.state,
      unitGhs: version.unitGhs,
      termDays: version.termDays,
      priceUsdCents: version.priceUsdCents,
      maintenanceUsdMicros: version.maintenanceUsdMicros,
      use: uses.find(({ versionId }) => versionId === version.id) ?? null,
    })),
  };
}

const stateTones = { draft: "waiting", published: "good", retired: "plain" } as const;

export default function Plans({ loaderData: { versions } }: Route.ComponentProps) {
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Plans"
        description="A plan changes by a new version. A contract keeps the version it was bought under."
        actions={
          may("plans/draft") ? <ButtonLink to="/operator/plans/new">Draft a plan</ButtonLink> : null
        }
      />
      {versions.length === 0 ? (
        <EmptyState drawing="journal">
          No plan yet. Draft one, see it as customers will, then publish it.
        </EmptyState>
      ) : (
        <DataTable
          label="Versions of plans"
          rows={versions}
          rowKey={(version) => version.id}
          rowClass={list.row}
          columns={[
            {
              head: "Plan",
              sort: { column: "plan", by: (version) => version.name },
              cell: (version) => (
                <>
                  <Link to={`/operator/plans/${version.id}`} className={list.link} data-row>
                    {version.name}
                  </Link>
                  <div className={list.second}>
                    {version.slug}, version {version.version}
                  </div>
                </>
              ),
            },
            {
              head: "State",
              sort: { column: "state", by: (version) => version.state },
              cell: (version) => (
                <StatusBadge status={version.state} tone={stateTones[version.state]} />
              ),
            },
            {
              head: "One unit",
              className: list.number,
              cell: (version) => formatHashrate(version.unitGhs),
            },
            {
              head: "Term",
              className: list.number,
              sort: { column: "term", by: (version) => version.termDays },
              cell: (version) => counted(version.termDays, "day"),
            },
            {
              head: "Price",
              className: list.number,
              sort: { column: "price", by: (version) => version.priceUsdCents },
              cell: (version) => <Usd cents={version.priceUsdCents} />,
            },
            {
              head: "Maintenance",
              className: list.number,
              sort: { column: "maintenance", by: (version) => version.maintenanceUsdMicros },
              cell: (version) => (
                <>
                  ${writeDecimal(version.maintenanceUsdMicros, 6)}
                  <div className={list.second}>per TH/s and day</div>
                </>
              ),
            },
            {
              head: "Running",
              className: list.number,
              sort: { column: "running", first: "desc", by: (version) => version.use?.ghs ?? null },
              cell: (version) => (
                <>
                  {version.use ? formatHashrate(version.use.ghs) : "–"}
                  {version.use ? (
                    <div className={list.second}>{counted(version.use.contracts, "contract")}</div>
                  ) : null}
                </>
              ),
            },
          ]}
        />
      )}
    </>
  );
}
