import { SectionTabs } from "../parts/section-tabs.tsx";

export function FleetTabs() {
  return (
    <SectionTabs
      label="Fleet"
      pages={[
        ["/operator/fleet", "Capacity"],
        ["/operator/fleet/sites", "Sites and energy"],
        ["/operator/fleet/outages", "Outages"],
      ]}
    />
  );
}
