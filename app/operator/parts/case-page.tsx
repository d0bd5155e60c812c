import type { ReactNode } from "react";
import { Link } from "react-router";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import type { StandingFlag } from "#server/staff-notes/list-flags.ts";
import { StandingFlags } from "../customers/standing-flags.tsx";
import styles from "./case-page.module.css";

interface CasePageProps {
  title: ReactNode;
  description?: ReactNode;
  /** The list that it is one of. */
  queue: string;
  /** Which one waits next, null where none does; left out where they are not decided one after the other. */
  nextId?: string | null;
  /** Whether the next one is one that the reader may decide, which not everybody may. */
  isNextForReader?: boolean;
  /** What colleagues asked to mind about its customer. */
  flags?: { standing: StandingFlag[]; customerId: string | null };
  children: ReactNode;
}

/** One thing that staff decide or look into: its head with the way back and onward, and the flags of its customer. */
export function CasePage(props: CasePageProps) {
  const { title, description, queue, nextId, isNextForReader = false, flags, children } = props;
  const reader = isNextForReader ? " for you" : "";
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <nav className={styles.onward} aria-label="Queue">
            <Link to={queue} data-key="q">
              {nextId === undefined ? "Back to the list" : "Queue"}
            </Link>
            {nextId ? (
              <Link to={`${queue}/${nextId}`} data-key="n">
                {isNextForReader ? "Next for you" : "Next that waits"}
              </Link>
            ) : null}
            {nextId === null ? (
              <span className={styles.nothing}>Nothing else waits{reader}</span>
            ) : null}
          </nav>
        }
      />
      {flags ? <StandingFlags flags={flags.standing} customerId={flags.customerId} /> : null}
      <div className={layout.stack}>{children}</div>
    </>
  );
}
