import { Link, Outlet, useLocation } from "react-router";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SignOutForm } from "#app/ui/forms/sign-out-form.tsx";
import { UserRound } from "#app/ui/icons.tsx";
import { Logo } from "#app/ui/page/logo.tsx";
import { ProductMarks } from "#app/ui/page/product-marks.tsx";
import { ColourSchemeToggle } from "#app/ui/theme/colour-scheme-toggle.tsx";
import { isSilent } from "#core/payments/silence.ts";
import { getMfaMethods } from "#server/identity/mfa/get-mfa-methods.ts";
import { requireStaff } from "#server/identity/sessions/require-staff.ts";
import { findWorkerSeen, workerPeriodSeconds } from "#server/platform/jobs/worker-seen.ts";
import type { Route } from "./+types/layout";
import { useConsoleKeys } from "./console-keys.ts";
import { entryOf } from "./entry-of.ts";
import { HelpLine } from "./help-line.tsx";
import styles from "./layout.module.css";
import { navigationFor } from "./navigation.ts";
import { GroupRow, NavigationBar } from "./navigation-bar.tsx";
import { consoleOf } from "./parts/route.ts";
import { RehearsalBar } from "./rehearsal-bar.tsx";
import { SearchField } from "./search/search-field.tsx";
import { readWork } from "./today/read-work.ts";
import { WorkerNotice } from "./worker-notice.tsx";

export const shouldRevalidate = readAfterConflict;

export const middleware: Route.MiddlewareFunction[] = [requireStaff];

export async function loader({ context }: Route.LoaderArgs) {
  const {
    db,
    now,
    rehearsal,
    operator: { id, firstName, lastName, role },
  } = consoleOf(context);
  const at = now();
  const [{ hasPasskey }, work, workerSeenAt] = await Promise.all([
    getMfaMethods(db, id),
    readWork(context),
    findWorkerSeen(db),
  ]);
  const workerRuns = workerSeenAt !== null && !isSilent(workerSeenAt, workerPeriodSeconds, at);
  const approvesWith: "passkey" | "code" = hasPasskey ? "passkey" : "code";
  const operator = { name: `${firstName} ${lastName}`, role, approvesWith };
  const groups = navigationFor(role, work);
  const goesTo = rehearsal?.progress?.state === "running" ? rehearsal.progress.to : null;
  return {
    operator,
    groups,
    worker: { runs: workerRuns, seenAt: workerSeenAt },
    rehearsal: rehearsal && { now: at, goesTo },
  };
}

export default function ConsoleLayout({ loaderData, matches }: Route.ComponentProps) {
  const { siteName, network, demo } = matches[0].loaderData;
  const { operator, groups, worker, rehearsal } = loaderData;
  const here = entryOf(groups, useLocation().pathname);
  useConsoleKeys();
  return (
    <div className={styles.console}>
      <a className={styles.skip} href="#main">
        Skip to the page
      </a>
      <ProductMarks demo={demo} network={network} />
      {rehearsal ? <RehearsalBar rehearsal={rehearsal} /> : null}
      <header className={styles.head}>
        <div className={styles.brand}>
          <Logo name={siteName} to="/operator" nameClass={styles.siteName} />
          <span className={styles.where}>Console</span>
        </div>
        <NavigationBar groups={groups} here={here} />
        <SearchField />
        <div className={styles.person}>
          <Link to="/operator/security" className={styles.name}>
            <UserRound className={styles.face} size={20} aria-hidden="true" />
            <span className={styles.named}>{operator.name}</span>
          </Link>
          <span className={styles.role}>{operator.role}</span>
          <ColourSchemeToggle />
          <SignOutForm>
            <button type="submit" className={styles.signOut}>
              Sign Out
            </button>
          </SignOutForm>
        </div>
        {here ? <GroupRow here={here} /> : null}
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {worker.runs || rehearsal?.goesTo ? null : (
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
