import { Outlet } from "react-router";
import { ProductMarks } from "#app/ui/product-marks.tsx";
import { ReadingContext } from "#app/ui/reading.ts";
import { appContext } from "#server/app-context.ts";
import { customerContext, settingsContext, viewContext } from "#server/identity/person-context.ts";
import { requireCustomer } from "#server/identity/require-customer.ts";
import { countUnreadNotices } from "#server/notices/queries.ts";
import { readTogether } from "#server/platform/read-together.ts";
import type { Route } from "./+types/layout";
import { Breadcrumb } from "./breadcrumb.tsx";
import styles from "./layout.module.css";
import { Sidebar } from "./sidebar.tsx";
import { sidebarCookie } from "./sidebar-cookie.ts";
import { useCollapsed } from "./use-collapsed.ts";
import { ViewBanner } from "./view-banner.tsx";

export const middleware: Route.MiddlewareFunction[] = [requireCustomer];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { config, db } = context.get(appContext);
  const { id, firstName, lastName } = context.get(customerContext);
  const { locale, timeZone, currency } = context.get(settingsContext);
  const reading = { locale, timeZone, currency };
  const viewed = context.get(viewContext);
  const unread = await readTogether(db, (one) => countUnreadNotices(one, id));
  const collapsed = sidebarCookie.isCollapsed(request, config.appUrl.startsWith("https:"));
  return { firstName, lastName, reading, viewed, unread, collapsed };
}

export default function AccountLayout({ loaderData, matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  const { firstName, lastName, viewed } = loaderData;
  const [collapsed, toggle] = useCollapsed(loaderData.collapsed);
  return (
    <div className={styles.page}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <ProductMarks demo={demo} network={network} />
      {viewed ? <ViewBanner view={viewed} name={`${firstName} ${lastName}`} /> : null}
      <div className={`${styles.frame} ${collapsed ? styles.collapsed : ""}`}>
        <Sidebar
          siteName={siteName}
          name={`${firstName} ${lastName}`}
          collapsed={collapsed}
          onToggle={toggle}
          isViewed={viewed !== null}
        />
        <div className={styles.body}>
          <Breadcrumb unread={loaderData.unread} />
          <main id="content" className={styles.main} tabIndex={-1}>
            <ReadingContext value={loaderData.reading}>
              {viewed ? (
                // Every form of every page at once; the server refuses them all the same.
                <fieldset disabled className={styles.viewed}>
                  <Outlet />
                </fieldset>
              ) : (
                <Outlet />
              )}
            </ReadingContext>
          </main>
        </div>
      </div>
    </div>
  );
}
