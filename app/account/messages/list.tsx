import { Link } from "react-router";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { OlderNewer } from "#app/ui/tables/pagination.tsx";
import { appContext } from "#server/app-context.ts";
import { listOwnThreads, type OwnThread } from "#server/contact/list-own-threads.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import type { Route } from "./+types/list";
import styles from "./messages.module.css";
import { stateWords } from "./state-words.ts";

export const meta = titled("Messages");

const limit = 25;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id } = context.get(customerContext);
  const after = url.searchParams.get("after") ?? undefined;
  const threads = await listOwnThreads(db, id, { after, limit: limit + 1 });
  const shown = threads.slice(0, limit);
  const last = threads.length > limit ? (shown.at(-1)?.threadId ?? null) : null;
  return { threads: shown, after: last };
}

export default function Messages({ loaderData: { threads, after } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Messages"
        description="What you wrote to us, and our answers."
        actions={<ButtonLink to="/account/messages/new">Write to us</ButtonLink>}
      />
      <Panel flush>
        {threads.length === 0 ? (
          <EmptyState drawing="seal">
            No messages yet. If something is unclear, write to us: a person answers.
          </EmptyState>
        ) : (
          <ol className={layout.plain}>
            {threads.map((thread) => (
              <Item key={thread.threadId} thread={thread} />
            ))}
          </ol>
        )}
      </Panel>
      {threads.length === 0 ? null : (
        <OlderNewer after={after}>
          {threads.length} {threads.length === 1 ? "conversation" : "conversations"} shown
        </OlderNewer>
      )}
    </>
  );
}

function Item({ thread }: { thread: OwnThread }) {
  const { threadId, subject, reference, state, lastAt, hasNews } = thread;
  return (
    <li className={hasNews ? `${styles.item} ${styles.fresh}` : styles.item}>
      <div className={styles.words}>
        <Link to={`/account/messages/${threadId}`} className={styles.subject}>
          {subject}
        </Link>
        {hasNews ? <span className={styles.news}>new answer</span> : null}
        <p className={styles.second}>
          {reference}, <When at={lastAt} />
        </p>
      </div>
      <StatusBadge {...stateWords[state]} />
    </li>
  );
}
