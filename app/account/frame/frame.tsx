import type { ReactNode } from "react";
import { useState } from "react";
import { useRouteLoaderData } from "react-router";
import { LocalePreferencesContext } from "#app/ui/figures/locale-preferences.ts";
import { ProductMarks } from "#app/ui/page/product-marks.tsx";
import type { LocalePreferences } from "#core/people/locale-preferences.ts";
import type { View } from "#server/identity/sessions/person-context.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import styles from "./layout.module.css";
import { Sidebar } from "./sidebar.tsx";
import { sidebarCookie } from "./sidebar-cookie.ts";
import { ViewBanner } from "./view-banner.tsx";

interface FrameProps {
  read: {
    firstName: string;
    lastName: string;
    preferences: LocalePreferences;
    /** Through which staff see the account; null: its customer does. */
    viewed: View | null;
    unread: number;
    unreadMessages: number;
    collapsed: boolean;
  };
  children: ReactNode;
}

/** What is around every page of an account. */
export function Frame({ read, children }: FrameProps) {
  const site = useRouteLoaderData<{ siteName: string; demo: boolean; network: string }>("root");
  const { firstName, lastName, viewed } = read;
  const [collapsed, toggle] = useCollapsed(read.collapsed);
  return (
    <div className={styles.page}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      {site ? <ProductMarks demo={site.demo} network={site.network} /> : null}
      {viewed ? <ViewBanner view={viewed} name={`${firstName} ${lastName}`} /> : null}
      <div className={`${styles.frame} ${collapsed ? styles.collapsed : ""}`}>
        <Sidebar
          siteName={site?.siteName ?? ""}
          name={`${firstName} ${lastName}`}
          collapsed={collapsed}
          onToggle={toggle}
          isViewed={viewed !== null}
          news={{ "/account/messages": read.unreadMessages }}
        />
        <div className={styles.body}>
          <Breadcrumb unread={read.unread} />
          <main id="content" className={styles.main} tabIndex={-1}>
            <LocalePreferencesContext value={read.preferences}>
              {viewed ? (
                // Every form of every page at once; the server refuses them all the same.
                <fieldset disabled className={styles.viewed}>
                  {children}
                </fieldset>
              ) : (
                children
              )}
            </LocalePreferencesContext>
          </main>
        </div>
      </div>
    </div>
  );
}

/** Whether the sidebar is folded, and the act that folds or opens it and remembers. */
function useCollapsed(initial: boolean): [boolean, () => void] {
  const [collapsed, setCollapsed] = useState(initial);
  const toggle = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
    document.cookie = sidebarCookie.write(!collapsed, location.protocol === "https:");
    setCollapsed(!collapsed);
  };
  return [collapsed, toggle];
}
