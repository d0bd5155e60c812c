import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { ColourSchemeToggle } from "#app/ui/colour-scheme-toggle.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { ProductMarks } from "#app/ui/product-marks.tsx";
import { SignOutForm } from "#app/ui/sign-out-form.tsx";
import { isSilent } from "#core/silence.ts";
import { appContext } from "#server/app-context.ts";
import { getWaitingWork } from "#server/console/queries.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { getFactorKinds } from "#server/identity/queries.ts";
import { requireStaff } from "#server/identity/require-staff.ts";
import { findWorkerSeen, workerPeriodSeconds } from "#server/platform/worker-seen.ts";
import type { Route } from "./+types/layout";
import { useConsoleKeys } from "./console-keys.ts";
import { HelpLine } from "./help-line.tsx";
import styles from "./layout.module.css";
import { readAfterConflict } from "./read-after-conflict.ts";
import { WorkerNotice } from "./worker-notice.tsx";

export const shouldRevalidate = readAfterConflict;

import { sectionsOf } from "./sections.ts";

export const middleware: Route.MiddlewareFunction[] = [requireStaff];

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const { id, firstName, lastName, role } = context.get(operatorContext);
  const at = now();
  const [{ hasPasskey }, waiting, workerSeenAt] = await Promise.all([
    getFactorKinds(db, id),
    getWaitingWork(db, at),
    findWorkerSeen(db),
  ]);
  const workerRuns = workerSeenAt !== null && !isSilent(workerSeenAt, workerPeriodSeconds, at);
  const approvesWith: "passkey" | "code" = hasPasskey ? "passkey" : "code";
  const operator = { name: `${firstName} ${lastName}`, role, approvesWith };
  return { operator, waiting, worker: { runs: workerRuns, seenAt: workerSeenAt } };
}

export default function ConsoleLayout({ loaderData, matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  const { operator, waiting, worker } = loaderData;
  const nav = useRef<HTMLElement>(null);
  useConsoleKeys();
  useSectionInView(nav);
  return (
    <div className={styles.console}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <ProductMarks demo={demo} network={network} />
      <header className={styles.head}>
        <div className={styles.brand}>
          <Logo name={siteName} to="/operator" />
          <span className={styles.where}>Console</span>
        </div>
        <nav ref={nav} className={styles.nav} aria-label="Console">
          {sectionsOf(operator.role).map(({ name, to, pages, waits }) => (
            <Section
              key={to}
              to={to}
              pages={pages}
              count={waits ? waiting[waits.count] : 0}
              of={waits?.of}
            >
              {name}
            </Section>
          ))}
        </nav>
        <div className={styles.person}>
          <Link to="/operator/security" className={styles.name}>
            {operator.name}
          </Link>
          <span className={styles.role}>{operator.role}</span>
          <ColourSchemeToggle />
          <SignOutForm>
            <button type="submit" className={styles.signOut}>
              Sign Out
            </button>
          </SignOutForm>
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {worker.runs ? null : (
          <div className={styles.silence}>
            <WorkerNotice seenAt={worker.seenAt} />
          </div>
        )}
        <Outlet />
      </main>
      <HelpLine />
    </div>
  );
}

/** Brings the section that one is in into view, where the row of them is wider than the screen. */
function useSectionInView(nav: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another section
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (!nav.current || !here) return;
    nav.current.scrollLeft = here.offsetLeft - (nav.current.clientWidth - here.offsetWidth) / 2;
  }, [pathname]);
}

interface SectionProps {
  to: string;
  /** Which addresses belong to the section, when not simply those below `to`. */
  pages: RegExp | undefined;
  /** How much of its work waits for somebody. */
  count: number;
  of: string | undefined;
  children: ReactNode;
}

function Section({ to, pages, count, of, children }: SectionProps) {
  const { pathname } = useLocation();
  const here = pages ? pages.test(pathname) : pathname.startsWith(to);
  return (
    <Link to={to} className={styles.section} aria-current={here ? "page" : undefined}>
      {children}
      {count > 0 ? (
        <span className={styles.count}>
          {count} <VisuallyHidden>{of}</VisuallyHidden>
        </span>
      ) : null}
    </Link>
  );
}
