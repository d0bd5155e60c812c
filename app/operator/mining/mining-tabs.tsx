import { Tabs } from "../parts/tabs.tsx";

export function MiningTabs() {
  return (
    <Tabs
      label="Mining"
      tabs={[
        ["/operator/mining", "Days"],
        ["/operator/mining/contracts", "Ending and unpaid"],
      ]}
    />
  );
}
