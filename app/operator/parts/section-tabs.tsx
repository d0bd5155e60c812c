import { Link, useLocation } from "react-router";
import type { Permission } from "#core/permissions.ts";
import tabs from "./tabs.module.css";
import { useMay } from "./use-may.ts";

/** Where it is, how it is called, and who may go there, when not everybody who is here. */
type SectionPage = [to: string, name: string, needs?: Permission];

/** The pages of one part of the console, side by side. */
export function SectionTabs({ label, pages }: { label: string; pages: SectionPage[] }) {
  const { pathname } = useLocation();
  const may = useMay();
  return (
    <nav className={tabs.tabs} aria-label={label}>
      {pages
        .filter(([, , needs]) => !needs || may(needs))
        .map(([to, name]) => (
          <Link
            key={to}
            to={to}
            className={tabs.tab}
            aria-current={pathname.replace(/\/$/, "") === to ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
    </nav>
  );
}
