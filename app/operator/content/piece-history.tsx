import { Link, useSearchParams } from "react-router";
import { TableFrame } from "#app/ui/data-table.tsx";
import { withParams } from "#app/ui/list-params.ts";
import { Panel } from "#app/ui/panel.tsx";
import { StatusBadge } from "#app/ui/status-badge.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import type { ContentVersion } from "#server/content/queries.ts";
import { useMay } from "../use-may.ts";
import styles from "./piece.module.css";

/** Every version that a text ever had, by whom and when. */
export function PieceHistory({
  versions,
  compared,
}: {
  versions: ContentVersion[];
  compared: number | null;
}) {
  const newest = versions[0]?.version ?? 0;
  return (
    <Panel title="History" flush>
      <TableFrame label="History" bare>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Version</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th>Compare or restore</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map((version) => (
            <VersionRow
              key={version.version}
              version={version}
              newest={newest}
              isCompared={version.version === compared}
            />
          ))}
        </Table.Tbody>
      </TableFrame>
    </Panel>
  );
}

interface VersionRowProps {
  version: ContentVersion;
  newest: number;
  isCompared: boolean;
}

function VersionRow({
  version: { version, state, author, at },
  newest,
  isCompared,
}: VersionRowProps) {
  const isNewest = version === newest;
  return (
    <Table.Tr>
      <Table.Td>{version}</Table.Td>
      <Table.Td>
        <StatusBadge status={version === 0 ? "as delivered" : state} tone={tones[state]} />
      </Table.Td>
      <Table.Td>{author ?? "–"}</Table.Td>
      <Table.Td>{at ? <When at={at} /> : "–"}</Table.Td>
      <Table.Td>{isNewest ? "newest" : <Choices {...{ version, newest, isCompared }} />}</Table.Td>
    </Table.Tr>
  );
}

/** What can be done with an older version. */
function Choices({
  version,
  newest,
  isCompared,
}: Omit<VersionRowProps, "version"> & { version: number }) {
  const [params] = useSearchParams();
  const may = useMay();
  return (
    <span className={styles.choices}>
      <Link to={withParams(params, { compare: isCompared ? null : version })} preventScrollReset>
        {isCompared ? "Hide the comparison" : `Compare ${version} with ${newest}`}
      </Link>
      {may("content/save-draft") ? (
        <Link to={withParams(params, { restore: version })} preventScrollReset>
          Restore {version}
        </Link>
      ) : null}
    </span>
  );
}

const tones = { draft: "waiting", published: "good", withdrawn: "plain" } as const;
