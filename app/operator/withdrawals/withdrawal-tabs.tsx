import { Link } from "react-router";
import tabs from "../parts/tabs.module.css";

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
    <nav className={tabs.tabs} aria-label="Withdrawals by state">
      {names.map(([value, name]) => (
        <Link
          key={value}
          to={addressOf(value)}
          className={tabs.tab}
          aria-current={value === current ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

function addressOf(tab: WithdrawalTab): string {
  if (tab === "batches") return "/operator/withdrawals/batches";
  return tab === "confirmed" ? "/operator/withdrawals" : `/operator/withdrawals?state=${tab}`;
}
