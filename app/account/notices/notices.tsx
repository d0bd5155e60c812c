import { Form, Link, redirect } from "react-router";
import { z } from "zod";
import { Button } from "#app/ui/controls/button.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { TriangleAlert } from "#app/ui/icons.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { OlderNewer } from "#app/ui/tables/pagination.tsx";
import { flash } from "#app/ui/toasts/flash.ts";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import { type ListedNotice, listNotices } from "#server/notices/list-notices.ts";
import { markNoticesRead } from "#server/notices/mark-notices-read.ts";
import type { Route } from "./+types/notices";
import styles from "./notices.module.css";

export const meta = titled("Notices");
export const shouldRevalidate = readAfterConflict;

const limit = 25;
const key = z.uuid().optional().catch(undefined);

export async function loader({ request, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id } = context.get(customerContext);
  const after = key.parse(new URL(request.url).searchParams.get("after") ?? undefined);
  const notices = await listNotices(db, id, { after, limit: limit + 1 });
  return { notices: notices.slice(0, limit), more: notices.length > limit, isFirst: !after };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { id } = context.get(customerContext);
  const upTo = key.parse((await request.formData()).get("upTo") ?? undefined);
  if (upTo) await markNoticesRead(db, { customerId: id, upTo }, now());
  return redirect("/account/notices", {
    headers: { "Set-Cookie": await flash("notices-read") },
  });
}

export default function Notices({ loaderData: { notices, more, isFirst } }: Route.ComponentProps) {
  const [newest] = notices;
  return (
    <>
      <PageHeader
        title="Notices"
        description="Everything that has happened in your account. We e-mail you most of it, too."
        actions={
          isFirst && newest && notices.some(({ isRead }) => !isRead) ? (
            <Form method="post">
              <input type="hidden" name="upTo" value={newest.id} />
              <Button type="submit" look="outline">
                Mark all as read
              </Button>
            </Form>
          ) : null
        }
      />
      <Panel flush>
        {notices.length === 0 ? (
          <EmptyState drawing="seal">
            No notices yet. Credits, changed fees and contracts that end appear here.
          </EmptyState>
        ) : (
          <ol className={layout.plain}>
            {notices.map((notice) => (
              <Item key={notice.id} notice={notice} />
            ))}
          </ol>
        )}
      </Panel>
      {notices.length === 0 ? null : (
        <OlderNewer after={more ? (notices.at(-1)?.id ?? null) : null}>
          {notices.length} {notices.length === 1 ? "notice" : "notices"} shown
        </OlderNewer>
      )}
    </>
  );
}

function Item({ notice }: { notice: ListedNotice }) {
  const { title, body, path, createdAt, isUrgent, isRead } = notice;
  const classes = [styles.item, isRead ? "" : styles.unread, isUrgent ? styles.urgent : ""];
  return (
    <li className={classes.filter(Boolean).join(" ")}>
      <div className={styles.words}>
        {isUrgent ? (
          <span className={styles.flag}>
            <TriangleAlert size={14} aria-hidden="true" /> Important
          </span>
        ) : null}
        <Link to={path} className={styles.title}>
          {title}
        </Link>
        {isRead ? null : <span className={styles.fresh}>new</span>}
        <p className={styles.body}>{body}</p>
      </div>
      <div className={styles.when}>
        <When at={createdAt} />
      </div>
    </li>
  );
}
