import { Form, Link, Outlet, useLocation, useMatches } from "react-router";
import { formatUtc } from "#app/ui/figures/format-time.ts";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SignOutForm } from "#app/ui/forms/sign-out-form.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { UserRound } from "#app/ui/icons.tsx";
import { Logo } from "#app/ui/page/logo.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { ProductMarks } from "#app/ui/page/product-marks.tsx";
import { ColourSchemeToggle } from "#app/ui/theme/colour-scheme-toggle.tsx";
import { isSilent } from "#core/payments/silence.ts";
import { getMfaMethods } from "#server/identity/mfa/get-mfa-methods.ts";
import { requireStaff } from "#server/identity/sessions/require-staff.ts";
import { findWorkerSeen, workerPeriodSeconds } from "#server/platform/jobs/worker-seen.ts";
import type { Route } from "./+types/layout";
import { type ConsoleKey, searchKeys, useConsoleKeys } from "./console-keys.ts";
import { type NavigationGroup, navigationFor } from "./navigation.ts";
import { GroupRow, NavigationBar } from "./navigation-bar.tsx";
import { consoleOf } from "./parts/route.ts";
import { useMay } from "./parts/use-may.ts";
import { SearchField } from "./search/search-field.tsx";
import styles from "./system/rehearsal.module.css";
import { readWork } from "./today/read-work.ts";

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

/** The entry that an address belongs to: the one that names most of it. */
function entryOf(
  groups: NavigationGroup[],
  pathname: string,
): { group: NavigationGroup; home: string } | null {
  const around = groups.flatMap((group) =>
    group.entries
      .filter(({ home }) => pathname === home || pathname.startsWith(`${home}/`))
      .map(({ home }) => ({ group, home })),
  );
  return around.sort((a, b) => b.home.length - a.home.length)[0] ?? null;
}

/** Said on every page of the console: what a worker would have asked and done is as it was when it stopped. */
function WorkerNotice({ seenAt }: { seenAt: Date | null }) {
  return (
    <Notice tone="warning" title="No worker is running">
      {seenAt ? (
        <>
          The last one was seen on <When at={seenAt} />, and pages show what was known then.
        </>
      ) : (
        "None has run yet."
      )}{" "}
      Until one runs, chains, exchanges and pools are not asked, customers get no mail, and no day
      is credited.
    </Notice>
  );
}

/** The keys of the page at hand, named by its `handle`. Not shown where there is no keyboard to speak of. */
function HelpLine() {
  const may = useMay();
  const own = useMatches().flatMap(({ handle }) => (handle as { keys?: ConsoleKey[] })?.keys ?? []);
  const keys = [...own, ...searchKeys].filter(({ needs }) => !needs || may(needs));
  return (
    <footer className={styles.line}>
      <h2 className={styles.title}>Keys</h2>
      <ul className={styles.keys}>
        {keys.map(({ key, does }) => (
          <li key={key}>
            <kbd className={styles.key}>{key}</kbd> {does}
          </li>
        ))}
      </ul>
    </footer>
  );
}

interface RehearsalState {
  now: Date;
  /** The day that the clock is on its way to, in words; null: it is not being moved. */
  goesTo: string | null;
}

/** On every page of the console of a rehearsal, and nowhere else: its clock, and the button that moves it. */
function RehearsalBar({ rehearsal: { now, goesTo } }: { rehearsal: RehearsalState }) {
  const may = useMay();
  return (
    <aside className={styles.bar} aria-label="Rehearsal">
      <span className={styles.clock}>
        It is <strong>{formatUtc(now)}</strong>
      </span>
      {goesTo ? (
        <Link to="/operator/rehearsal">Going to {goesTo}…</Link>
      ) : (
        <>
          {may("rehearsal/run") ? (
            <Form method="post" action="/operator/rehearsal">
              <SubmitButton name="intent" value="next-day" size="small" pendingText="Next day…">
                Next day
              </SubmitButton>
            </Form>
          ) : null}
          <Link to="/operator/rehearsal">Pay, mine, sign</Link>
        </>
      )}
    </aside>
  );
}
