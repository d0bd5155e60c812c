import { randomUUID } from "node:crypto";
import { data, Link } from "react-router";
import { type ActResult, runAct } from "#app/run-act.ts";
import { Conversation } from "#app/ui/content/conversation.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import type { App } from "#server/app-context.ts";
import { findNextThread } from "#server/contact/find-next-thread.ts";
import { findThread } from "#server/contact/find-thread.ts";
import { listWords, type Word } from "#server/contact/list-messages.ts";
import { type Destination, moveThread } from "#server/contact/move-thread.ts";
import { replyToThread } from "#server/contact/reply-to-thread.ts";
import { getCompany } from "#server/content/get-company.ts";
import { CasePage } from "../parts/case-page.tsx";
import { readFlags } from "../parts/read-flags.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/case";
import styles from "./message.module.css";
import { MessageFacts } from "./message-facts.tsx";
import { MessageReplyForm } from "./message-reply-form.tsx";
import { replySchema } from "./message-schema.ts";

export const middleware = guard("contact/read", {
  reply: "contact/reply",
  closed: "contact/close",
  spam: "contact/mark-as-spam",
  open: "contact/reopen",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData?.thread.subject ?? "Message";
  return [{ title: `${title} · ${matches[0].loaderData.siteName}` }];
}

export const handle = {
  keys: [
    { key: "a", does: "answer", needs: "contact/reply" },
    { key: "n", does: "next that waits" },
    { key: "q", does: "queue" },
  ],
};

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, now } = consoleOf(context);
  const thread = found(await findThread(db, params.threadId));
  const aboutId = thread.writer?.customerId ?? thread.addressOf?.customerId ?? null;
  const [words, nextId, flags] = await Promise.all([
    listWords(db, thread.threadId),
    findNextThread(db, thread.threadId),
    readFlags(context, aboutId),
  ]);
  return { now: now(), thread, aboutId, flags, words, nextId, submissionKey: randomUUID() };
}

/** What the page says after a form came in. */
interface Answer {
  result?: FormReply;
  problem?: string;
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  const seen = Number(form.get("seen"));
  const threadId = params.threadId;
  const to = destinations.find((known) => known === form.get("intent"));
  if (to) {
    return runAct(
      async () => {
        await moveThread(app.db, operator, { threadId, seen, to }, app.now());
        return goOn(app, threadId, `message-${to}`);
      },
      ({ text: problem }): Answer => ({ problem }),
      sayRefusal,
    );
  }
  const submission = parseForm(form, { schema: replySchema });
  if (submission.status !== "success") return data<Answer>({ result: submission.reply() }, 400);
  const { email } = await getCompany(app.db);
  const reply = {
    threadId,
    seen,
    submissionKey: String(form.get("submissionKey")),
    text: submission.value.text,
    replyTo: email || null,
  };
  return runAct(
    async () => {
      await replyToThread(app, operator, reply, app.now());
      return goOn(app, threadId, "message-answered");
    },
    ({ text: problem }): Answer => ({ result: submission.reply(), problem }),
    sayRefusal,
  );
}

const destinations = ["closed", "spam", "open"] as const satisfies Destination[];

/** To the thread that waits longest, or to the empty queue; a reopened one stays in view. */
async function goOn(
  app: App,
  threadId: string,
  say: "message-answered" | `message-${Destination}`,
): Promise<ActResult> {
  const next = say === "message-open" ? threadId : await findNextThread(app.db, threadId);
  return { to: next ? `/operator/messages/${next}` : "/operator/messages", say };
}

export default function MessagePage({ loaderData, actionData }: Route.ComponentProps) {
  const { thread, aboutId, flags, words, nextId, now, submissionKey } = loaderData;
  const may = useMay();
  return (
    <CasePage
      title={thread.subject}
      queue="/operator/messages"
      nextId={nextId}
      flags={{ standing: flags, customerId: aboutId }}
    >
      <div className={styles.case} key={thread.threadId}>
        <div className={styles.words}>
          <MessageWords words={words} senderName={thread.senderName} threadId={thread.threadId} />
        </div>
        <div className={styles.facts}>
          {actionData?.problem ? (
            <Notice tone="warning" role="alert" title="Nothing was done">
              {actionData.problem}
            </Notice>
          ) : null}
          <MessageFacts
            thread={thread}
            isAnswered={words.some(({ kind }) => kind === "reply")}
            now={now}
          />
        </div>
        <div className={styles.answer}>
          {may("contact/reply") ? (
            <MessageReplyForm
              seen={thread.revision}
              submissionKey={submissionKey}
              email={thread.isFromAccount ? null : thread.senderEmail}
              lastResult={actionData?.result}
            />
          ) : null}
        </div>
      </div>
    </CasePage>
  );
}

interface MessageWordsProps {
  words: Word[];
  senderName: string;
  threadId: string;
}

/** All that was said. Each file opens apart; every view is written into the audit log. */
function MessageWords({ words, senderName, threadId }: MessageWordsProps) {
  const may = useMay();
  return (
    <Conversation
      label="What was said"
      words={words}
      nameOf={(word) => (word.kind === "reply" ? word.operatorName : senderName)}
      aside={(word) =>
        word.kind === "reply" && word.mailState ? (
          <Link to={`/operator/mail/${word.mailId}`}>
            <StatusBadge status={word.mailState} />
          </Link>
        ) : null
      }
      filesAt={may("contact/view-file") ? `/operator/messages/${threadId}` : null}
    />
  );
}
