import { Amount } from "#app/ui/figures/amount.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import type { NetworkFigures } from "#server/markets/find-network-figures.ts";

/** What the Bitcoin network was like when last asked. */
export function NetworkFacts({ network, now }: { network: NetworkFigures | null; now: Date }) {
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
