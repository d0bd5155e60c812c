import { ButtonLink } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { listVersionUse } from "#server/contracts/maintenance/list-maintenance-changes.ts";
import { listVersions } from "#server/contracts/plans/list-versions.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { counted } from "../parts/counted.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/list";

export const middleware = guard("plans/read");
export const meta = titled("Plans");
export const handle = { keys: listKeys };

export async function loader({ context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
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
        <EmptyState drawing="ledger">
          No plan yet. Draft one, see it as customers will, then publish it.
        </EmptyState>
      ) : (
        <ConsoleTable
          label="Versions of plans"
          rows={versions}
          columns={[
            {
              head: "Plan",
              sort: "plan",
              value: "name",
              to: (version) => `/operator/plans/${version.id}`,
              second: (version) => `${version.slug}, version ${version.version}`,
            },
            {
              head: "State",
              sort: "state",
              value: "state",
              cell: (version) => (
                <StatusBadge status={version.state} tone={stateTones[version.state]} />
              ),
            },
            { head: "One unit", value: "unitGhs", format: "hashrate" },
            {
              head: "Term",
              kind: "number",
              sort: "term",
              value: "termDays",
              cell: (version) => counted(version.termDays, "day"),
            },
            { head: "Price", sort: "price", value: "priceUsdCents", format: "usd" },
            {
              head: "Maintenance",
              kind: "number",
              sort: "maintenance",
              value: "maintenanceUsdMicros",
              cell: (version) => <>${writeDecimal(version.maintenanceUsdMicros, 6)}</>,
              second: () => "per TH/s and day",
            },
            {
              head: "Running",
              kind: "number",
              sort: "-running",
              value: (version) => version.use?.ghs ?? null,
              cell: (version) => (version.use ? formatHashrate(version.use.ghs) : "–"),
              second: (version) =>
                version.use ? counted(version.use.contracts, "contract") : null,
            },
          ]}
        />
      )}
    </>
  );
}
