import { Outlet } from "react-router";
import { ProductMarks } from "#app/ui/product-marks.tsx";
import { ReadingContext } from "#app/ui/reading.ts";
import { customerContext, settingsContext } from "#server/identity/person-context.ts";
import { requireCustomer } from "#server/identity/require-customer.ts";
import type { Route } from "./+types/layout";
import { Breadcrumb } from "./breadcrumb.tsx";
import styles from "./layout.module.css";
import { Sidebar } from "./sidebar.tsx";
import { sidebarCookie } from "./sidebar-cookie.ts";
import { useCollapsed } from "./use-collapsed.ts";

export const middleware: Route.MiddlewareFunction[] = [requireCustomer];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { firstName, lastName } = context.get(customerContext);
  const { locale, timeZone, currency } = context.get(settingsContext);
  const reading = { locale, timeZone, currency };
  return { firstName, lastName, reading, collapsed: sidebarCookie.isCollapsed(request) };
}

export default function AccountLayout({ loaderData, matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  const { firstName, lastName } = loaderData;
  const [collapsed, toggle] = useCollapsed(loaderData.collapsed);
  return (
    <div className={styles.page}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <ProductMarks demo={demo} network={network} />
      <div className={`${styles.frame} ${collapsed ? styles.collapsed : ""}`}>
        <Sidebar
          siteName={siteName}
          name={`${firstName} ${lastName}`}
          collapsed={collapsed}
          onToggle={toggle}
        />
        <div className={styles.body}>
          <Breadcrumb />
          <main id="content" className={styles.main} tabIndex={-1}>
            <ReadingContext value={loaderData.reading}>
              <Outlet />
            </ReadingContext>
          </main>
        </div>
      </div>
    </div>
  );
}
