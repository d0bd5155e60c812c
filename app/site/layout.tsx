import { Outlet } from "react-router";
import { ProductMarks } from "#app/ui/product-marks.tsx";
import type { Route } from "./+types/layout";
import { Footer } from "./footer.tsx";
import styles from "./layout.module.css";
import { NavigationBar } from "./navigation-bar.tsx";

export default function SiteLayout({ matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  return (
    <div className={styles.page}>
      <a href="#content" className={styles.skip}>
        Skip to the content
      </a>
      <ProductMarks demo={demo} network={network} />
      <NavigationBar siteName={siteName} />
      <main id="content" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer siteName={siteName} />
    </div>
  );
}
