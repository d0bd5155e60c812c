import { Link, useLocation, useMatches } from "react-router";
import { Bell as BellIcon, ChevronRight } from "#app/ui/icons.tsx";
import { ColourSchemeToggle } from "#app/ui/theme/colour-scheme-toggle.tsx";
import { lastSegment } from "./last-segment.ts";
import styles from "./layout.module.css";

/** Server and layout count no further. */
const mostShown = 99;

/** What a page that stands for one thing gives as `handle`: its name, from what the page read. */
export interface Named<Data> {
  crumb(read: Data): string;
}

/** The bar above the content: where one is, by the page's own name for it or the last segment of the path. */
export function Breadcrumb({ unread }: { unread: number }) {
  const { pathname } = useLocation();
  const page = useMatches().at(-1);
  const name = page?.loaderData ? (page.handle as Named<unknown> | undefined)?.crumb : undefined;
  const last = name?.(page?.loaderData) ?? lastSegment(pathname);
  // Where it would only repeat the page's title, a phone does without it.
  const repeats = pathname.split("/").filter(Boolean).length <= 2;
  return (
    <header className={styles.top}>
      <nav aria-label="Breadcrumb" className={repeats ? styles.repeats : undefined}>
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
