import BellIcon from "lucide-react/icons/bell";
import ChevronRight from "lucide-react/icons/chevron-right";
import { Link, useLocation } from "react-router";
import { ColourSchemeToggle } from "#app/ui/colour-scheme-toggle.tsx";
import { lastSegment } from "./last-segment.ts";
import styles from "./layout.module.css";

/** Server and layout count no further. */
const mostShown = 99;

/** The bar above the content: where one is, by the last segment of the path. */
export function Breadcrumb({ unread }: { unread: number }) {
  const last = lastSegment(useLocation().pathname);
  return (
    <header className={styles.top}>
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
      <div className={styles.tools}>
        <Bell unread={unread} />
        <ColourSchemeToggle />
      </div>
    </header>
  );
}

/** Leads to the notices, and says how many are new. */
function Bell({ unread }: { unread: number }) {
  const count = unread > mostShown ? `${mostShown}+` : String(unread);
  return (
    <Link
      to="/account/notices"
      className={styles.bell}
      aria-label={unread === 0 ? "Notices" : `Notices, ${count} new`}
      title="Notices"
    >
      <BellIcon size={18} strokeWidth={1.75} aria-hidden="true" />
      {unread === 0 ? null : (
        <span className={styles.count} aria-hidden="true">
          {count}
        </span>
      )}
    </Link>
  );
}
