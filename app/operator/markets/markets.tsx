import { Amount } from "#app/ui/figures/amount.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { findNetworkFigures, type NetworkFigures } from "#server/markets/find-network-figures.ts";
import { listPrices } from "#server/markets/list-prices.ts";
import { listAskedAssets, listDrops, listSources } from "#server/markets/list-sources.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/markets";
import { DropTable, PriceTable, SourceTable } from "./market-tables.tsx";

export const middleware = guard("markets/read");
export const meta = titled("Markets");

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = consoleOf(context);
  const at = now();
  const [sources, drops, asked, prices, network] = await Promise.all([
    listSources(db, config),
    listDrops(db, at),
    listAskedAssets(db, at),
    listPrices(db, at),
    findNetworkFigures(db, at),
  ]);
  const { needed, pollSeconds, sources: exchanges } = config.prices;
  const isOff = exchanges.length === 0;
  return { now: at, sources, drops, asked, prices, network, needed, pollSeconds, isOff };
}

export default function MarketsPage({ loaderData }: Route.ComponentProps) {
  const { now, sources, drops, asked, prices, network, needed, pollSeconds, isOff } = loaderData;
  const isSimulated = prices.some(({ simulated }) => simulated);
  return (
    <>
      <PageHeader
        title="Markets"
        description={
          isOff
            ? "No exchange is asked for prices."
            : `Asked every ${pollSeconds} s. A price is the median of the exchanges that agree within 1 %: at least ${needed}, and more than half.`
        }
      />
      <div className={layout.stack}>
        {isOff ? <SwitchedOff /> : null}
        {isSimulated ? (
          <Notice tone="warning" title="Simulated">
            These prices are invented by the demo. No one traded at them.
          </Notice>
        ) : null}
        <Panel title="Prices" flush>
          <PriceTable prices={prices} asked={asked} now={now} />
        </Panel>
        <Panel title="Sources" flush>
          <SourceTable sources={sources} now={now} />
        </Panel>
        <Panel title="Left out" flush>
          <DropTable drops={drops} />
        </Panel>
        <Panel title="Bitcoin network">
          <NetworkFacts network={network} now={now} />
        </Panel>
      </div>
    </>
  );
}

function SwitchedOff() {
  return (
    <Notice tone="info" title="Prices are switched off">
      PRICE_SOURCES is off, so nothing is valued in dollars. Name at least two exchanges to switch
      them on.
    </Notice>
  );
}

/** What the Bitcoin network was like when last asked. */
function NetworkFacts({ network, now }: { network: NetworkFigures | null; now: Date }) {
  if (!network) {
    return <EmptyState drawing="block">No figures of the network yet.</EmptyState>;
  }
  const { fastestFeeSatPerVb, halfHourFeeSatPerVb, hourFeeSatPerVb } = network;
  return (
    <Facts
      facts={[
        { label: "Height", value: network.height.toLocaleString("en-US") },
        { label: "Difficulty", value: network.difficulty.toLocaleString("en-US") },
        { label: "Hashrate", value: `${exahashes(network.hashrateHs)} EH/s` },
        {
          label: "Subsidy of the next block",
          value: <Amount units={network.subsidySats} asset="BTC" />,
        },
        { label: "Fees per block", value: <Amount units={network.feesPerBlockSats} asset="BTC" /> },
        {
          label: "Fee rates",
          value: `${fastestFeeSatPerVb}, ${halfHourFeeSatPerVb}, ${hourFeeSatPerVb} sat/vB for the next block, half an hour, an hour`,
        },
        {
          label: "Source",
          value: (
            <>
              {network.host}
              {network.simulated ? ", simulated" : ""}, <Age at={network.observedAt} now={now} />
            </>
          ),
        },
      ]}
    />
  );
}

/** With one decimal. */
function exahashes(hashrateHs: bigint): string {
  const tenths = hashrateHs / 10n ** 17n;
  return `${(tenths / 10n).toLocaleString("en-US")}.${tenths % 10n}`;
}
