import { Link } from "react-router";
import tabs from "./tabs.module.css";

interface StateTabsProps {
  label: string;
  page: string;
  /** Values of `state` in the address, null for none, and their names. */
  states: Array<[state: string | null, name: string]>;
  state: string | null;
}

/** One list by the state of what is in it. */
export function StateTabs({ label, page, states, state }: StateTabsProps) {
  return (
    <nav className={tabs.tabs} aria-label={label}>
      {states.map(([value, name]) => (
        <Link
          key={name}
          to={value === null ? page : `${page}?state=${value}`}
          className={tabs.tab}
          aria-current={value === state ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
