import ChevronRight from "lucide-react/icons/chevron-right";
import { Link, useLocation } from "react-router";
import { ColourSchemeToggle } from "#app/ui/colour-scheme-toggle.tsx";
import { lastSegment } from "./last-segment.ts";
import styles from "./layout.module.css";

/** The bar above the content: where one is, by the last segment of the path. */
export function Breadcrumb() {
  const last = lastSegment(useLocation().pathname);
  return (
    <div className={styles.top}>
      <nav aria-label="Breadcrumb">
        <ol className={styles.crumbs}>
          {last === "account" ? null : (
            <li>
              <Link to="/account">Account</Link>
              <ChevronRight size={14} aria-hidden="true" />
            </li>
          )}
          <li>
            <span className={styles.last} aria-current="page">
              {last}
            </span>
          </li>
        </ol>
      </nav>
      <ColourSchemeToggle />
    </div>
  );
}
