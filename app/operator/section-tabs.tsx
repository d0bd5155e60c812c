import { Link, useLocation } from "react-router";
import tabs from "./tabs.module.css";

/** The pages of one part of the console, side by side. */
export function SectionTabs({ label, pages }: { label: string; pages: [string, string][] }) {
  const { pathname } = useLocation();
  return (
    <nav className={tabs.tabs} aria-label={label}>
      {pages.map(([to, name]) => (
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
