import { Outlet } from "react-router";
import { loadDocument, plainPage } from "#app/plain-page.ts";
import { Logo } from "#app/ui/page/logo.tsx";
import { ProductMarks } from "#app/ui/page/product-marks.tsx";
import { ColourMenu } from "#app/ui/theme/colour-menu.tsx";
import type { Route } from "./+types/layout";
import { answerScripts } from "./answer-scripts.ts";
import styles from "./layout.module.css";
import { refuseBlockedCountries } from "./refuse-blocked-countries.ts";
import { ToastParts } from "./toast-parts.tsx";

export const handle = plainPage("auth");

export const middleware: Route.MiddlewareFunction[] = [refuseBlockedCountries, answerScripts];
export const clientMiddleware: Route.ClientMiddlewareFunction[] = [loadDocument];

export default function AuthLayout({ matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  return (
    <div className={styles.page}>
      <ProductMarks demo={demo} network={network} />
      <header className={styles.head}>
        <Logo name={siteName} />
        <ColourMenu />
      </header>
      <main className={styles.main}>
        <Outlet />
      </main>
      <ToastParts />
    </div>
  );
}
