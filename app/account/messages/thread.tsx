import { randomUUID } from "node:crypto";
import { data, Link } from "react-router";
import { Conversation } from "#app/ui/content/conversation.tsx";
import { ButtonLink } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { appContext } from "#server/app-context.ts";
import { findOwnThread, isOwnThread } from "#server/contact/find-own-thread.ts";
import { markThreadRead } from "#server/contact/mark-thread-read.ts";
import { customerContext, viewContext } from "#server/identity/sessions/person-context.ts";
import type { Route } from "./+types/thread";
import { MessageForm } from "./message-form.tsx";
import { answerSchema } from "./message-schema.ts";
import styles from "./messages.module.css";
import { readAbout } from "./read-about.ts";
import { stateWords } from "./state-words.ts";
import { takeMessage } from "./take-message.ts";

export const handle = {
  crumb: (read: { thread: { subject: string } }) => read.thread.subject,
};

export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData?.thread.subject ?? "Message";
  return [{ title: `${title} · ${matches[0].loaderData.siteName}` }];
}
export const shouldRevalidate = readAfterConflict;

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id: customerId } = context.get(customerContext);
  const thread = await findOwnThread(db, customerId, params.threadId);
  if (!thread) throw data(null, { status: 404, statusText: "Not Found" });
  const { threadId, revision } = thread;
  const isViewed = context.get(viewContext) !== null;
  // Staff who look at the account have not read it for the customer.
  if (thread.hasNews && !isViewed) await markThreadRead(db, { customerId, threadId, revision });
  const about = await readAbout(db, customerId, thread.about);
  return { thread, about, isViewed, submissionKey: randomUUID() };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { threadId } = params;
  const { id } = context.get(customerContext);
  const isOwn = await isOwnThread(context.get(appContext).db, id, threadId);
  if (!isOwn) throw data(null, { status: 404, statusText: "Not Found" });
  return takeMessage({ request, context }, answerSchema, async () => ({ threadId }));
}

export default function Thread({ loaderData, actionData }: Route.ComponentProps) {
  const { thread, about, isViewed, submissionKey } = loaderData;
  return (
    <>
      <PageHeader
        title={thread.subject}
        description={<StatusBadge {...stateWords[thread.state]} />}
        actions={
          <ButtonLink to="/account/messages" look="quiet">
            All messages
          </ButtonLink>
        }
      />
      <div className={styles.narrow}>
        <p className={layout.note}>
          Reference {thread.reference}
          {about ? (
            <>
              . About: <Link to={about.path}>{about.words}</Link>
            </>
          ) : null}
        </p>
        <Conversation
          label="Conversation"
          words={thread.words}
          nameOf={(word) => (word.kind === "reply" ? `${word.operatorName}, our staff` : "You")}
          filesAt={isViewed ? null : `/account/messages/${thread.threadId}`}
        />
        <Panel title={formTitles[thread.state]}>
          <MessageForm
            key={`${thread.threadId} ${thread.words.length}`}
            submissionKey={submissionKey}
            lastResult={actionData?.result}
          />
        </Panel>
      </div>
    </>
  );
}

/** What the form is for, by what came last. */
const formTitles = { open: "Add a message", answered: "Your answer", closed: "Write again" };
