import { Outlet } from "react-router";
import { ColourSchemeToggle } from "#app/ui/colour-scheme-toggle.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { ProductMarks } from "#app/ui/product-marks.tsx";
import type { Route } from "./+types/layout";
import styles from "./layout.module.css";
import { refuseBlockedCountries } from "./refuse-blocked-countries.ts";

export const middleware: Route.MiddlewareFunction[] = [refuseBlockedCountries];

export default function AuthLayout({ matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  return (
    <div className={styles.page}>
      <ProductMarks demo={demo} network={network} />
      <header className={styles.head}>
        <Logo name={siteName} />
        <ColourSchemeToggle />
      </header>
      <main className={styles.main}>
        <Outlet />
      </main>
    </div>
  );
}
