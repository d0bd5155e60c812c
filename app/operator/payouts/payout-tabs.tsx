import { Tabs } from "../parts/tabs.tsx";

export function PayoutTabs() {
  return (
    <Tabs
      label="Payouts"
      tabs={[
        ["/operator/payouts", "Payouts"],
        ["/operator/payouts/new", "Enter one", "payouts/enter"],
        ["/operator/payouts/import", "Import a file"],
        ["/operator/payouts/pools", "Pools and limit"],
      ]}
    />
  );
}
