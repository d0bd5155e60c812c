import { randomUUID } from "node:crypto";
import { data, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { type FormReply, parseForm } from "#app/ui/forms/parse-form.ts";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { App } from "#server/app-context.ts";
import { getCompany } from "#server/content/get-company.ts";
import type { Operator } from "#server/identity/staff/operator.ts";
import { discardIssue } from "#server/newsletter/discard-issue.ts";
import { countDelivered, findIssue } from "#server/newsletter/list-issues.ts";
import { countConfirmed } from "#server/newsletter/list-subscriptions.ts";
import { issueMail } from "#server/newsletter/mails/issue-mail.ts";
import { saveIssue } from "#server/newsletter/save-issue.ts";
import { sendIssue } from "#server/newsletter/send-issue.ts";
import { sendTest } from "#server/newsletter/send-test.ts";
import { stopIssue } from "#server/newsletter/stop-issue.ts";
import { forBrowser } from "#server/platform/mail/mark.ts";
import { forFrame, MailFrame } from "../mail/mail-frame.tsx";
import { readAfterConflict } from "../parts/read-after-conflict.ts";
import { consoleOf, found, guard } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { useProgress } from "../parts/use-progress.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/newsletter-issue";
import styles from "./newsletter-issue.module.css";
import { NewsletterIssueForm } from "./newsletter-issue-form.tsx";
import { issueSchema } from "./newsletter-schema.ts";
import { NewsletterDelivery, NewsletterSending } from "./newsletter-sending.tsx";

export const middleware = guard("newsletter/read", {
  save: "newsletter/save-issue",
  discard: "newsletter/discard-issue",
  test: "newsletter/send-test",
  review: "newsletter/send-issue",
  send: "newsletter/send-issue",
  stop: "newsletter/stop-issue",
});
export const shouldRevalidate = readAfterConflict;
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const title = loaderData?.issue.subject ?? "Issue";
  return [{ title: `${title} · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { app } = consoleOf(context);
  const issue = found(await findIssue(app.db, params.issueId));
  const imprint = issue.state === "draft" ? await readImprint(app) : issue.imprint;
  const reader = { leavingUrl: `${app.config.appUrl}/newsletter`, confirmedAt: app.now() };
  const { html } = issueMail(app.config, { ...issue, imprint }, reader).write(null);
  const delivered = await countDelivered(app.db, [issue.issueId]);
  return {
    issue,
    imprint,
    preview: forFrame(forBrowser(html)),
    subscribers: await countConfirmed(app.db),
    delivered: delivered.get(issue.issueId) ?? null,
    submissionKey: randomUUID(),
  };
}

/** What the page says after a form came in. */
interface Answer {
  result?: FormReply;
  /** The summary before an issue is sent. */
  review?: true;
  problem?: string;
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { app, operator } = consoleOf(context);
  const form = await request.formData();
  if (form.get("intent") === "review") return data<Answer>({ review: true });
  if (form.get("intent") === "save") return save(app, operator, params.issueId, form);
  return runAct(
    () => act(app, operator, params.issueId, form),
    ({ text: problem }): Answer => ({ problem }),
    sayRefusal,
  );
}

async function save(app: App, operator: Operator, issueId: string, form: FormData) {
  const submission = parseForm(form, { schema: issueSchema });
  if (submission.status !== "success") return data<Answer>({ result: submission.reply() }, 400);
  const words = { issueId, seen: Number(form.get("seen")), ...submission.value };
  return runAct(
    async () => {
      await saveIssue(app.db, operator, words, app.now());
      return { to: `/operator/newsletter/${issueId}`, say: "issue-saved" };
    },
    ({ text: problem }): Answer => ({ result: submission.reply(), problem }),
    sayRefusal,
  );
}

async function act(app: App, operator: Operator, issueId: string, form: FormData) {
  const page = `/operator/newsletter/${issueId}`;
  const at = app.now();
  switch (form.get("intent")) {
    case "test": {
      const submissionKey = String(form.get("submissionKey"));
      const test = { issueId, submissionKey, imprint: await readImprint(app) };
      await sendTest(app, operator, test, at);
      return { to: page, say: "issue-tested" } as const;
    }
    case "send": {
      const seen = Number(form.get("seen"));
      await sendIssue(app.db, operator, { issueId, seen, imprint: await readImprint(app) }, at);
      return { to: page, say: "issue-sent" } as const;
    }
    case "stop":
      await stopIssue(app.db, operator, issueId, at);
      return { to: page, say: "issue-stopped" } as const;
    case "discard":
      await discardIssue(app.db, operator, issueId, at);
      return { to: "/operator/newsletter", say: "issue-discarded" } as const;
    default:
      return data<Answer>({}, 400);
  }
}

/** Who sends it: many countries want a postal address in every newsletter. */
async function readImprint(app: App): Promise<string> {
  const { name, postalAddress } = await getCompany(app.db);
  const lines = postalAddress.split("\n").map((line) => line.trim());
  // Most people begin an address with the name.
  const whole = lines[0] === name ? lines : [name, ...lines];
  return whole.filter((line) => line !== "").join(", ");
}

export default function IssuePage({ loaderData, actionData }: Route.ComponentProps) {
  const { issue, imprint, preview, subscribers, delivered, submissionKey } = loaderData;
  const isDraft = issue.state === "draft";
  const may = useMay();
  const isReviewed = isDraft && actionData?.review === true;
  const runs = issue.state === "sending";
  useProgress({ runs, of: issue.issueId, done: "The issue is on its way to all subscribers" });
  return (
    <>
      <PageHeader
        title={issue.subject}
        description={<Link to="/operator/newsletter">All issues</Link>}
      />
      <div className={styles.page}>
        <div className={styles.column}>
          <Problem problem={actionData?.problem} />
          {isDraft && !isReviewed && may("newsletter/save-issue") ? (
            <Panel title="Draft">
              <NewsletterIssueForm
                key={issue.revision}
                saved={issue}
                lastResult={actionData?.result}
              >
                <input type="hidden" name="seen" value={issue.revision} />
              </NewsletterIssueForm>
            </Panel>
          ) : null}
          {isDraft && !may("newsletter/send-issue") ? (
            <Notice title="A draft">It can be read here, and sent by others.</Notice>
          ) : isDraft ? (
            <NewsletterSending
              isReviewed={isReviewed}
              seen={issue.revision}
              subscribers={subscribers}
              submissionKey={submissionKey}
              hasImprint={imprint !== ""}
            />
          ) : (
            <NewsletterDelivery issue={issue} delivered={delivered} />
          )}
        </div>
        <Panel title="As mail programs show it" flush>
          <MailFrame title="The issue as HTML" html={preview} />
        </Panel>
      </div>
    </>
  );
}

function Problem({ problem }: { problem: Answer["problem"] }) {
  if (problem === undefined) return null;
  return (
    <Notice tone="warning" role="alert" title="Nothing was done">
      {problem}
    </Notice>
  );
}
