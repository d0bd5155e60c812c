import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { findNetworkFigures } from "#server/markets/find-network-figures.ts";
import { listPrices } from "#server/markets/list-prices.ts";
import { listAskedAssets, listDrops, listSources } from "#server/markets/list-sources.ts";
import { consoleOf, guard } from "../parts/route.ts";
import type { Route } from "./+types/markets";
import { DropTable, PriceTable, SourceTable } from "./market-tables.tsx";
import { NetworkFacts } from "./network-facts.tsx";

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
