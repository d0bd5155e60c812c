import { data, Link, redirect } from "react-router";
import { Amount } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { flash } from "#app/ui/flash.ts";
import { Notice } from "#app/ui/notice.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titled } from "#app/ui/page-title.ts";
import { Panel } from "#app/ui/panel.tsx";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import type { Coin } from "#core/asset.ts";
import { coverageWords } from "#core/custody-count.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requirePermission } from "#server/identity/require-permission.ts";
import { listBookedCoins } from "#server/ledger/queries.ts";
import { explainDifference } from "#server/reconciliation/explain-difference.ts";
import {
  type Coverage,
  type EnteredCount,
  listCoverage,
  listHoldings,
  listOpenCounts,
  listOpenDifferences,
  listReconciledDays,
  listWalletReadings,
  type ReconciledDay,
} from "#server/reconciliation/queries.ts";
import { ConsoleError } from "../console-error.tsx";
import styles from "../console-list.module.css";
import { useMay } from "../use-may.ts";
import type { Route } from "./+types/overview";
import { type ExplainFault, OpenDifferences, RecordedHoldings } from "./differences.tsx";
import own from "./reconciliation.module.css";
import { refusalText } from "./refusal-text.ts";
import { WalletReadings } from "./wallet-readings.tsx";

const shown = 50;
const shownDays = 31;

export const middleware: Route.MiddlewareFunction[] = [
  requirePermission("reconciliation/read", { explain: "reconciliation/explain" }),
];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Reconciliation");
export const handle = {
  keys: [{ key: "p", does: "enter a count", needs: "reconciliation/count" }],
};

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const [coins, coverage, counts, differences, holdings, days, readings] = await Promise.all([
    listBookedCoins(db, config.coins),
    listCoverage(db),
    listOpenCounts(db, shown),
    listOpenDifferences(db, shown),
    listHoldings(db, shown),
    listReconciledDays(db, shownDays),
    listWalletReadings(db),
  ]);
  return { coins, coverage, counts, differences, holdings, days, readings };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const form = await request.formData();
  const holdingId = String(form.get("holdingId") ?? "");
  const words = String(form.get("words") ?? "");
  try {
    const explained = { holdingId, words };
    await explainDifference(db, context.get(operatorContext), explained, now());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const fault: ExplainFault = { holdingId, words, fault: refusalText(error.code) };
    return data(fault, 400);
  }
  const headers = { "Set-Cookie": await flash("difference-explained") };
  return redirect("/operator/reconciliation", { headers });
}

export default function Reconciliation({ loaderData, actionData }: Route.ComponentProps) {
  const { coins, coverage, counts, differences, holdings, days, readings } = loaderData;
  const may = useMay();
  const isStopped = coverage.some(({ units, custodyUnits }) => units < custodyUnits);
  return (
    <>
      <PageHeader
        title="Reconciliation"
        description="What lies in the operator's wallets on chain, beside what the journal says of the same moment."
        actions={
          may("reconciliation/count") ? (
            <Link to="/operator/reconciliation/new" data-key="p">
              Enter a count
            </Link>
          ) : null
        }
      />
      {isStopped ? (
        <Notice tone="error" title="No contract is sold">
          Less lies in the wallets than the journal says. Sales go on by themselves once a later
          count covers everything. Withdrawals never stop.
        </Notice>
      ) : null}
      <div className={own.coins}>
        {coins.map((coin) => (
          <CoinPanel
            key={coin}
            coin={coin}
            coverage={coverage.find(({ asset }) => asset === coin) ?? null}
          />
        ))}
      </div>
      <div className={own.stack}>
        <Panel title="Differences to explain" flush>
          <OpenDifferences
            differences={differences}
            mayExplain={may("reconciliation/explain")}
            fault={actionData}
          />
        </Panel>
        <Panel title="Read by the machine" flush>
          <WalletReadings readings={readings} />
        </Panel>
        <Panel title="Counts to confirm" flush>
          <OpenCounts counts={counts} />
        </Panel>
        <Panel title="Day by day" flush>
          <Days days={days} />
        </Panel>
        <Panel title="What was recorded" flush>
          <RecordedHoldings holdings={holdings} />
        </Panel>
      </div>
    </>
  );
}

function CoinPanel({ coin, coverage }: { coin: Coin; coverage: Coverage | null }) {
  if (!coverage) {
    return (
      <Panel title={coin}>
        <div className={own.figure}>Not counted yet</div>
        <p className={own.note}>Nobody can say whether all of it is there.</p>
      </Panel>
    );
  }
  const { units, custodyUnits, asOf, source, blockHeight } = coverage;
  return (
    <Panel title={coin}>
      <div className={`${own.figure} ${units < custodyUnits ? own.short : ""}`}>
        {coverageWords(units, custodyUnits)}
      </div>
      <dl className={own.facts} data-inline>
        <div>
          <dt>On chain</dt>
          <dd>
            <Amount units={units} asset={coin} />
          </dd>
        </div>
        <div>
          <dt>In the journal</dt>
          <dd>
            <Amount units={custodyUnits} asset={coin} />
          </dd>
        </div>
        <div>
          <dt>As of</dt>
          <dd>
            <When at={asOf} />
          </dd>
        </div>
        <div>
          <dt>By</dt>
          <dd>
            {source === "count" ? "two people" : "the chain's watcher"}
            {blockHeight === null ? null : `, block ${blockHeight}`}
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

function OpenCounts({ counts }: { counts: EnteredCount[] }) {
  if (counts.length === 0) return <p className={styles.empty}>No count waits.</p>;
  return (
    <DataTable label="Counts that wait, oldest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Coin</Table.Th>
          <Table.Th className={styles.number}>Counted</Table.Th>
          <Table.Th>As of</Table.Th>
          <Table.Th>By</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {counts.map(({ id, asset, units, asOf, counterName }) => (
          <Table.Tr key={id} className={styles.row}>
            <Table.Td>
              <Link to={`/operator/reconciliation/${id}`} className={styles.link} data-row>
                Count of {asset}
              </Link>
            </Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={units} asset={asset} />
            </Table.Td>
            <Table.Td>
              <When at={asOf} />
            </Table.Td>
            <Table.Td>{counterName}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Days({ days }: { days: ReconciledDay[] }) {
  if (days.length === 0) {
    return (
      <p className={styles.empty}>The first figure is noted when the first UTC day is over.</p>
    );
  }
  return (
    <DataTable label="Custody at the end of each UTC day, newest first" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>UTC day</Table.Th>
          <Table.Th className={styles.number}>Journal at its end</Table.Th>
          <Table.Th className={styles.number}>On chain that day</Table.Th>
          <Table.Th className={styles.number}>Difference then</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {days.map(({ day, asset, custodyUnits, holding }) => (
          <Table.Tr key={`${day} ${asset}`}>
            <Table.Td className={styles.day}>{day}</Table.Td>
            <Table.Td className={styles.number}>
              <Amount units={custodyUnits} asset={asset} />
            </Table.Td>
            <Table.Td className={styles.number}>
              {holding ? (
                <Amount units={holding.units} asset={asset} />
              ) : (
                <span className={styles.second}>not counted</span>
              )}
            </Table.Td>
            <Table.Td className={styles.number}>
              {holding ? (
                <Amount units={holding.units - holding.custodyUnits} asset={asset} signed />
              ) : null}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
