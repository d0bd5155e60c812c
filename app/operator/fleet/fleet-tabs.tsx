import { Tabs } from "../parts/tabs.tsx";

export function FleetTabs() {
  return (
    <Tabs
      label="Fleet"
      tabs={[
        ["/operator/fleet", "Capacity"],
        ["/operator/fleet/sites", "Sites and energy"],
        ["/operator/fleet/outages", "Outages"],
      ]}
    />
  );
}
