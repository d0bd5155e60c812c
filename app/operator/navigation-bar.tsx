import { type RefObject, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { ChevronDown } from "#app/ui/icons.tsx";
import { VisuallyHidden } from "#app/ui/page/visually-hidden.tsx";
import type { NavigationEntry, NavigationGroup } from "./navigation.ts";
import styles from "./navigation-bar.module.css";

interface NavigationBarProps {
  groups: NavigationGroup[];
  /** The group and the entry in it that the page belongs to. */
  here: { group: NavigationGroup; home: string } | null;
}

/** Today, and the groups of pages; each opens a list of its own, also without JavaScript. */
export function NavigationBar({ groups, here }: NavigationBarProps) {
  const { pathname } = useLocation();
  const bar = useRef<HTMLElement>(null);
  useHereInView(bar, pathname);
  return (
    <nav ref={bar} className={styles.bar} aria-label="Console">
      <Link
        to="/operator"
        className={styles.group}
        aria-current={pathname.replace(/\/$/, "") === "/operator" ? "page" : undefined}
      >
        Today
      </Link>
      {groups.map((group) => (
        <details key={group.name} className={styles.menu} name="console-group" data-dropdown>
          <summary
            className={styles.group}
            aria-current={here?.group.name === group.name ? "true" : undefined}
          >
            {group.name}
            <Badge count={group.entries.reduce((sum, { count }) => sum + count, 0)} />
            <ChevronDown className={styles.arrow} size={14} aria-hidden="true" />
          </summary>
          <ul className={styles.entries}>
            {group.entries.map((entry) => (
              <li key={entry.home}>
                <EntryLink entry={entry} isHere={here?.home === entry.home} look={styles.entry} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

/** The pages of the group that one is in, side by side. */
export function GroupRow({ here }: { here: NonNullable<NavigationBarProps["here"]> }) {
  const row = useRef<HTMLElement>(null);
  useHereInView(row, here.home);
  return (
    <nav ref={row} className={styles.row} aria-label={`Pages of ${here.group.name}`}>
      {here.group.entries.map((entry) => (
        <EntryLink
          key={entry.home}
          entry={entry}
          isHere={here.home === entry.home}
          look={styles.page}
        />
      ))}
    </nav>
  );
}

interface EntryLinkProps {
  entry: NavigationEntry;
  isHere: boolean;
  look: string | undefined;
}

function EntryLink({ entry: { name, to, count }, isHere, look }: EntryLinkProps) {
  return (
    <Link to={to} className={look} aria-current={isHere ? "page" : undefined}>
      {name}
      <Badge count={count} />
    </Link>
  );
}

function Badge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      {count < 1000 ? count : "999+"} <VisuallyHidden>waiting</VisuallyHidden>
    </span>
  );
}

/** Brings the place that one is in into view, where its row is wider than the screen. */
function useHereInView(row: RefObject<HTMLElement | null>, place: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another place
  useEffect(() => {
    const here = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (!row.current || !here) return;
    row.current.scrollLeft = here.offsetLeft - (row.current.clientWidth - here.offsetWidth) / 2;
  }, [place]);
}
