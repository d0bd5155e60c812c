import { Button } from "@mantine/core";
import { Link } from "react-router";
import { Usd } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { writeDecimal } from "#core/decimal.ts";
import { formatHashrate } from "#core/mining/hashrate.ts";
import { appContext } from "#server/app-context.ts";
import { listVersionUse } from "#server/contracts/maintenance-queries.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { listVersions } from "#server/plans/queries.ts";
import { ConsoleError } from "../console-error.tsx";
import { listKeys } from "../console-keys.ts";
import list from "../console-list.module.css";
import { useMay } from "../use-may.ts";
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
        description="A plan changes by a new version. Contracts keep the one that they were bought under."
        actions={
          may("plans/draft") ? (
            <Button component={Link} to="/operator/plans/new">
              Draft a plan
            </Button>
          ) : null
        }
      />
      {versions.length === 0 ? (
        <EmptyState drawing="journal">
          No plan yet. A plan is drafted first, looked at as customers would read it, then offered.
        </EmptyState>
      ) : (
        <DataTable label="Versions of plans">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Plan</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th className={list.number}>One unit</Table.Th>
              <Table.Th className={list.number}>Term</Table.Th>
              <Table.Th className={list.number}>Price</Table.Th>
              <Table.Th className={list.number}>Maintenance</Table.Th>
              <Table.Th className={list.number}>Running</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {versions.map((version) => (
              <Table.Tr key={version.id} className={list.row}>
                <Table.Td>
                  <Link to={`/operator/plans/${version.id}`} className={list.link} data-row>
                    {version.name}
                  </Link>
                  <div className={list.second}>
                    {version.slug}, version {version.version}
                  </div>
                </Table.Td>
                <Table.Td>
                  <StatusBadge status={version.state} tone={stateTones[version.state]} />
                </Table.Td>
                <Table.Td className={list.number}>{formatHashrate(version.unitGhs)}</Table.Td>
                <Table.Td className={list.number}>{version.termDays} days</Table.Td>
                <Table.Td className={list.number}>
                  <Usd cents={version.priceUsdCents} />
                </Table.Td>
                <Table.Td className={list.number}>
                  ${writeDecimal(version.maintenanceUsdMicros, 6)}
                  <div className={list.second}>per TH/s and day</div>
                </Table.Td>
                <Table.Td className={list.number}>
                  {version.use ? formatHashrate(version.use.ghs) : "–"}
                  {version.use ? (
                    <div className={list.second}>{version.use.contracts} contracts</div>
                  ) : null}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </DataTable>
      )}
    </>
  );
}
