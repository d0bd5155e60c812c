import { Link, useSearchParams } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { withParams } from "#app/ui/tables/list-params.ts";
import type { ContentVersion } from "#server/content/find-piece-with-history.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import { useMay } from "../parts/use-may.ts";
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
      <ConsoleTable
        label="History"
        bare
        rows={versions}
        rowKey={({ version }) => version}
        columns={[
          { head: "Version", value: "version" },
          {
            head: "State",
            cell: ({ version, state }) => (
              <StatusBadge status={version === 0 ? "as delivered" : state} tone={tones[state]} />
            ),
          },
          { head: "By", cell: ({ author }) => author ?? "–" },
          { head: "When", value: "at" },
          {
            head: "Compare or restore",
            cell: ({ version }) =>
              version === newest ? (
                "newest"
              ) : (
                <Choices version={version} newest={newest} isCompared={version === compared} />
              ),
          },
        ]}
      />
    </Panel>
  );
}

interface ChoicesProps {
  version: number;
  newest: number;
  isCompared: boolean;
}

/** What can be done with an older version. */
function Choices({ version, newest, isCompared }: ChoicesProps) {
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
