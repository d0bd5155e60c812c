import { Form, Link } from "react-router";
import { leadOn, runAct } from "#app/run-act.ts";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { useRefresh } from "#app/ui/figures/use-refresh.ts";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { coverageWords } from "#core/payments/custody-count.ts";
import { listMovesSince } from "#server/console/reconciliation/list-moves-since.ts";
import { listBookedCoins } from "#server/ledger/list-house-balances.ts";
import { listCountsDue } from "#server/reconciliation/counts-due.ts";
import { explainDifference } from "#server/reconciliation/explain-difference.ts";
import { type EnteredCount, listOpenCounts } from "#server/reconciliation/list-counts.ts";
import { type Coverage, listCoverage } from "#server/reconciliation/list-coverage.ts";
import { listHoldings, listOpenDifferences } from "#server/reconciliation/list-holdings.ts";
import {
  listReconciledDays,
  type ReconciledDay,
} from "#server/reconciliation/list-reconciled-days.ts";
import { listWalletReadings } from "#server/reconciliation/list-wallet-readings.ts";
import { readAgain } from "#server/reconciliation/read-again.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { OnlyShown } from "../parts/only-shown.tsx";
import { ListFile } from "../parts/queue-page.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/overview";
import { Difference } from "./difference.tsx";
import { type ExplainFault, OpenDifferences, RecordedHoldings } from "./differences.tsx";
import { MovesSince } from "./moves-since.tsx";
import own from "./reconciliation.module.css";
import { WalletReadings } from "./wallet-readings.tsx";

const shown = 50;
const shownDays = 31;
/** How often the page is read again while somebody looks at it. */
const refreshMs = 15_000;

export const middleware = guard("reconciliation/read", {
  explain: "reconciliation/explain",
  "read-again": "reconciliation/read-again",
});
export const shouldRevalidate = readAfterConflict;
export const meta = titled("Reconciliation");
export const handle = {
  keys: [{ key: "p", does: "enter a count", needs: "reconciliation/count" }],
};

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = consoleOf(context);
  const [coins, due, coverage, counts, differences, holdings, days, readings] = await Promise.all([
    listBookedCoins(db, config.coins),
    listCountsDue(db, now()),
    listCoverage(db),
    listOpenCounts(db, shown),
    listOpenDifferences(db, shown),
    listHoldings(db, shown),
    listReconciledDays(db, shownDays),
    listWalletReadings(db),
  ]);
  const since = lastCounts(coverage, now());
  const moves = await listMovesSince(db, { since, limit: shown });
  const canRead = config.bitcoinChain !== null;
  const counted = { coins, due, coverage, counts, differences };
  return { ...counted, holdings, days, readings, moves, canRead };
}

/** When each coin was counted last; before any count, a week ago. */
function lastCounts(coverage: Coverage[], now: Date): Record<Coin, Date> {
  const weekAgo = new Date(now.getTime() - 7 * 86_400_000);
  const of = (coin: Coin) => coverage.find(({ asset }) => asset === coin)?.asOf ?? weekAgo;
  return { BTC: of("BTC"), ETH: of("ETH"), USDT: of("USDT") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  if (form.get("intent") === "read-again") {
    await readAgain(db, operator, now());
    return leadOn({ to: "/operator/reconciliation", say: "wallets-asked" });
  }
  const holdingId = String(form.get("holdingId") ?? "");
  const words = String(form.get("words") ?? "");
  return runAct(
    async () => {
      const explained = { holdingId, words };
      await explainDifference(db, operator, explained, now());
      return { to: "/operator/reconciliation", say: "difference-explained" };
    },
    (said): ExplainFault => ({ holdingId, words, fault: said.text }),
    sayRefusal,
  );
}

export default function Reconciliation({ loaderData, actionData }: Route.ComponentProps) {
  const { coins, due, coverage, counts, differences, holdings, days, readings } = loaderData;
  const { moves, canRead } = loaderData;
  const may = useMay();
  // What the node answers comes without anybody pressing anything again.
  useRefresh(refreshMs);
  const isStopped = coverage.some(({ units, custodyUnits }) => units < custodyUnits);
  return (
    <>
      <PageHeader
        title="Reconciliation"
        description="What is in our wallets on chain, compared with what the ledger says of the same moment."
        actions={
          <>
            {may("reconciliation/count") ? (
              <Link to="/operator/reconciliation/new" data-key="p">
                Enter a count
              </Link>
            ) : null}
            <Link to="/operator/reconciliation/reserves">Sign the reserves</Link>
            <ListFile list="counts" />
          </>
        }
      />
      {isStopped ? (
        <Notice tone="error" title="No contract is sold">
          Our wallets hold less than the ledger says. Sales go on automatically once a later count
          covers everything. Withdrawals never stop.
        </Notice>
      ) : null}
      <div className={own.coins}>
        {coins.map((coin) => (
          <CoinPanel
            key={coin}
            coin={coin}
            coverage={coverage.find(({ asset }) => asset === coin) ?? null}
            isDue={due.includes(coin)}
          />
        ))}
      </div>
      <div className={layout.stack}>
        <Panel title="Differences to explain" flush>
          <OpenDifferences
            differences={differences}
            mayExplain={may("reconciliation/explain")}
            fault={actionData}
          />
          <OnlyShown rows={differences.length} most={shown} which="oldest" />
        </Panel>
        <Panel
          title="Read by the node"
          aside={canRead && may("reconciliation/read-again") ? <ReadAgain /> : null}
          flush
        >
          <WalletReadings readings={readings} mayCount={may("reconciliation/count")} />
        </Panel>
        <Panel
          title={
            coverage.length > 0 ? "Moved since the last count" : "Moved in the last seven days"
          }
          flush
        >
          <MovesSince moves={moves} limit={shown} />
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

/** Asks the node now, instead of waiting for its daily turn. */
function ReadAgain() {
  return (
    <Form method="post" preventScrollReset>
      <SubmitButton
        name="intent"
        value="read-again"
        look="quiet"
        size="small"
        pendingText="Asking…"
      >
        Read again now
      </SubmitButton>
    </Form>
  );
}

interface CoinPanelProps {
  coin: Coin;
  coverage: Coverage | null;
  /** Whether nobody has counted it for a week. */
  isDue: boolean;
}

function CoinPanel({ coin, coverage, isDue }: CoinPanelProps) {
  const aside = isDue ? <StatusBadge status="count due" tone="waiting" /> : null;
  if (!coverage) {
    return (
      <Panel title={coin} aside={aside}>
        <div className={own.figure}>Not counted yet</div>
        <p className={own.note}>Count the wallets to know whether all of it is there.</p>
      </Panel>
    );
  }
  const { units, custodyUnits, asOf, source, blockHeight } = coverage;
  return (
    <Panel title={coin} aside={aside}>
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
          <dt>In the ledger</dt>
          <dd>
            <Amount units={custodyUnits} asset={coin} />
          </dd>
        </div>
        <div>
          <dt>Difference</dt>
          <dd>
            <Difference units={units - custodyUnits} asset={coin} />
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
    <ConsoleTable
      label="Counts that wait, oldest first"
      bare
      rows={counts}
      columns={[
        {
          head: "Coin",
          to: ({ id }) => `/operator/reconciliation/${id}`,
          cell: ({ asset }) => `Count of ${asset}`,
        },
        {
          head: "Counted",
          kind: "number",
          cell: ({ asset, units }) => <Amount units={units} asset={asset} />,
        },
        { head: "As of", value: "asOf" },
        { head: "By", value: "counterName" },
      ]}
    />
  );
}

function Days({ days }: { days: ReconciledDay[] }) {
  if (days.length === 0) {
    return (
      <p className={styles.empty}>The first figure is noted when the first UTC day is over.</p>
    );
  }
  return (
    <ConsoleTable
      label="Custody at the end of each UTC day, newest first"
      bare
      rows={days}
      rowKey={({ day, asset }) => `${day} ${asset}`}
      columns={[
        { head: "UTC day", kind: "day", value: "day" },
        {
          head: "Ledger at its end",
          kind: "number",
          cell: ({ asset, custodyUnits }) => <Amount units={custodyUnits} asset={asset} />,
        },
        {
          head: "On chain that day",
          kind: "number",
          cell: ({ asset, holding }) =>
            holding ? (
              <Amount units={holding.units} asset={asset} />
            ) : (
              <span className={styles.second}>not counted</span>
            ),
        },
        {
          head: "Difference then",
          kind: "number",
          cell: ({ asset, holding }) =>
            holding ? (
              <Difference units={holding.units - holding.custodyUnits} asset={asset} />
            ) : null,
        },
      ]}
    />
  );
}
