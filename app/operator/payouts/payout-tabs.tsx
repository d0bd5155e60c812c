import { SectionTabs } from "../parts/section-tabs.tsx";

export function PayoutTabs() {
  return (
    <SectionTabs
      label="Payouts"
      pages={[
        ["/operator/payouts", "Payouts"],
        ["/operator/payouts/new", "Enter one", "payouts/enter"],
        ["/operator/payouts/import", "Import a file"],
        ["/operator/payouts/pools", "Pools and limit"],
      ]}
    />
  );
}
