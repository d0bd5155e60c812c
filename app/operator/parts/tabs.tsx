import { Link, useLocation } from "react-router";
import type { Permission } from "#core/permissions.ts";
import styles from "./tabs.module.css";
import { useMay } from "./use-may.ts";

/** Where it is, how it is called, and who may go there, when not everybody who is here. */
export type Tab = readonly [to: string, name: string, needs?: Permission];

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  /** The one that is shown; else the one whose address this is. */
  here?: string | undefined;
  /** Whether they choose what one page shows, which stays where it is. */
  inPlace?: boolean;
}

/** Pages of one part of the console, or ways to see one page, side by side. */
export function Tabs({ label, tabs, here, inPlace = false }: TabsProps) {
  const { pathname } = useLocation();
  const may = useMay();
  const shown = here ?? pathname.replace(/\/$/, "");
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs
        .filter(([, , needs]) => !needs || may(needs))
        .map(([to, name]) => (
          <Link
            key={to}
            to={to}
            className={styles.tab}
            aria-current={to === shown ? (inPlace ? "true" : "page") : undefined}
            preventScrollReset={inPlace}
          >
            {name}
          </Link>
        ))}
    </nav>
  );
}

interface StateTabsProps {
  label: string;
  page: string;
  /** Values of `state` in the address, null for none, and their names. */
  states: ReadonlyArray<readonly [state: string | null, name: string]>;
  state: string | null;
}

/** One list by the state of what is in it. */
export function StateTabs({ label, page, states, state }: StateTabsProps) {
  const to = (value: string | null) => (value === null ? page : `${page}?state=${value}`);
  return (
    <Tabs label={label} tabs={states.map(([value, name]) => [to(value), name])} here={to(state)} />
  );
}
