import { useSearchParams } from "react-router";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { OlderNewer } from "#app/ui/tables/pagination.tsx";
import type { Permission } from "#core/permissions.ts";
import type { StatementLine } from "#server/ledger/list-statement.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { MayLink } from "../parts/may-link.tsx";

/** A customer's side of the ledger, newest first: every entry on his accounts, with what caused it. */
export function StatementTable({ lines, after }: { lines: StatementLine[]; after: string | null }) {
  const [params] = useSearchParams();
  return (
    <Panel title="Statement" flush>
      {lines.length === 0 ? (
        <p className={styles.empty}>The ledger has no entries of this customer yet.</p>
      ) : (
        <ConsoleTable
          label="Entries, newest first"
          bare
          rows={lines}
          rowKey={(line) => line.cursor}
          columns={[
            { head: "What", cell: (line) => <Cause line={line} /> },
            {
              head: "Amount",
              kind: "number",
              cell: (line) => <Amount units={line.units} asset={line.asset} signed />,
            },
            {
              head: "Balance after",
              kind: "number",
              cell: (line) => <Amount units={line.balanceAfter} asset={line.asset} />,
            },
          ]}
        />
      )}
      {after || params.has("after") ? (
        <div className={styles.pager}>
          <OlderNewer after={after} />
        </div>
      ) : null}
    </Panel>
  );
}

/** Transaction ids keep their ends; the whole one stands on the deposit's page. */
function shortened(memo: string): string {
  return memo.replace(/\b((?:0x)?[0-9a-f]{8})[0-9a-f]{40,}([0-9a-f]{8})\b/g, "$1…$2");
}

const places: Record<string, { page: string; needs: Permission }> = {
  deposit: { page: "/operator/deposits/", needs: "deposits/read" },
  adjustment: { page: "/operator/adjustments/", needs: "adjustments/read" },
};

function Cause({ line }: { line: StatementLine }) {
  const words = line.kind.replaceAll("-", " ");
  const said = words.charAt(0).toUpperCase() + words.slice(1);
  const [, noun = "", id = ""] = /^(deposit|adjustment):(.+)$/.exec(line.source) ?? [];
  const place = places[noun];
  return (
    <>
      {place ? (
        <MayLink needs={place.needs} to={place.page + id} className={styles.link}>
          {said}
        </MayLink>
      ) : (
        <span>{said}</span>
      )}
      <span className={styles.second}> {line.account}</span>
      <div className={styles.second}>
        <When at={line.occurredAt} />
      </div>
      {line.memo === "" ? null : <div className={styles.memo}>{shortened(line.memo)}</div>}
    </>
  );
}
