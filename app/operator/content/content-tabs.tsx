import { Link, useLocation } from "react-router";
import tabs from "../parts/tabs.module.css";

const pages = [
  { to: "/operator/content", label: "Texts" },
  { to: "/operator/content/testimonials", label: "Testimonials" },
] as const;

/** The two halves of what the site says. */
export function ContentTabs() {
  const { pathname } = useLocation();
  return (
    <nav className={tabs.tabs} aria-label="Content">
      {pages.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          className={tabs.tab}
          aria-current={pathname === to ? "page" : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
