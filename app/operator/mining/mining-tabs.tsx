import { SectionTabs } from "../parts/section-tabs.tsx";

export function MiningTabs() {
  return (
    <SectionTabs
      label="Mining"
      pages={[
        ["/operator/mining", "Days"],
        ["/operator/mining/contracts", "Ending and unpaid"],
      ]}
    />
  );
}
