import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Form, Link, Outlet, useLocation } from "react-router";
import { ColourSchemeToggle } from "#app/ui/colour-scheme-toggle.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { ProductMarks } from "#app/ui/product-marks.tsx";
import { appContext } from "#server/app-context.ts";
import { getWaitingWork } from "#server/console/queries.ts";
import { operatorContext } from "#server/identity/person-context.ts";
import { requireStaff } from "#server/identity/require-staff.ts";
import type { Route } from "./+types/layout";
import { useConsoleKeys } from "./console-keys.ts";
import { HelpLine } from "./help-line.tsx";
import styles from "./layout.module.css";
import { readAfterConflict } from "./read-after-conflict.ts";

export const shouldRevalidate = readAfterConflict;

export const middleware: Route.MiddlewareFunction[] = [requireStaff];

export async function loader({ context }: Route.LoaderArgs) {
  const { firstName, lastName, role } = context.get(operatorContext);
  return {
    operator: { name: `${firstName} ${lastName}`, role },
    waiting: await getWaitingWork(context.get(appContext).db),
  };
}

export default function ConsoleLayout({ loaderData, matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  const { operator, waiting } = loaderData;
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
          <Section to="/operator" pages={depositPages} count={waiting.deposits} of="waiting">
            Deposits
          </Section>
          <Section to="/operator/customers">Customers</Section>
          <Section to="/operator/messages" count={waiting.messages} of="waiting">
            Messages
          </Section>
          <Section to="/operator/newsletter">Newsletter</Section>
          <Section to="/operator/content" count={waiting.testimonials} of="to read">
            Content
          </Section>
          <Section to="/operator/news" pages={newsPages} count={waiting.failingFeeds} of="failing">
            News
          </Section>
          <Section to="/operator/mail" count={waiting.failedMails} of="failed">
            Mail
          </Section>
          <Section to="/operator/markets">Markets</Section>
          <Section to="/operator/jobs" count={waiting.stoppedJobs} of="given up">
            Jobs
          </Section>
          <Section to="/operator/audit">Audit log</Section>
        </nav>
        <div className={styles.person}>
          <span className={styles.name}>{operator.name}</span>
          <span className={styles.role}>{operator.role}</span>
          <ColourSchemeToggle />
          <Form method="post" action="/signout">
            <button type="submit" className={styles.signOut}>
              Sign Out
            </button>
          </Form>
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
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

/** The queue is the console's first page, and its cases have addresses of their own. */
const depositPages = /^\/operator(\/deposits\/.*)?\/?$/;

/** Not the newsletter's. */
const newsPages = /^\/operator\/news(\/|$)/;

interface SectionProps {
  to: string;
  /** Which addresses belong to the section, when not simply those below `to`. */
  pages?: RegExp;
  /** How much of its work waits for somebody. */
  count?: number;
  of?: string;
  children: ReactNode;
}

function Section({ to, pages, count = 0, of, children }: SectionProps) {
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
