import { Tabs } from "../parts/tabs.tsx";

const names = [
  ["confirmed", "To decide"],
  ["approved", "Approved"],
  ["leaving", "Leaving"],
  ["requested", "Not confirmed"],
  ["settled", "Confirmed on chain"],
  ["ended", "Came back"],
  ["batches", "Batches"],
] as const;

export type WithdrawalTab = (typeof names)[number][0];

/** The groups of withdrawals, and their batches. */
export function WithdrawalTabs({ current }: { current: WithdrawalTab }) {
  return (
    <Tabs
      label="Withdrawals by state"
      tabs={names.map(([value, name]) => [addressOf(value), name])}
      here={addressOf(current)}
    />
  );
}

function addressOf(tab: WithdrawalTab): string {
  if (tab === "batches") return "/operator/withdrawals/batches";
  return tab === "confirmed" ? "/operator/withdrawals" : `/operator/withdrawals?state=${tab}`;
}
