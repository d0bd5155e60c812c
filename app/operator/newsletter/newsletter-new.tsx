import { randomUUID } from "node:crypto";
import { data, Link } from "react-router";
import { errorsOf, runAct } from "#app/run-act.ts";
import { parseForm } from "#app/ui/forms/parse-form.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { isId } from "#server/console/is-id.ts";
import { saveIssue } from "#server/newsletter/save-issue.ts";
import { consoleOf, guard } from "../parts/route.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/newsletter-new";
import { NewsletterIssueForm } from "./newsletter-issue-form.tsx";
import { issueSchema } from "./newsletter-schema.ts";

export const middleware = guard("newsletter/save-issue", "newsletter/save-issue");
export const meta = titled("Write an issue");

export async function loader(_: Route.LoaderArgs) {
  return { issueId: randomUUID() };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const form = await request.formData();
  const submission = parseForm(form, { schema: issueSchema });
  if (submission.status !== "success") return data(submission.reply(), 400);
  const issueId = form.get("issueId");
  if (typeof issueId !== "string" || !isId(issueId)) return data(submission.reply(), 400);
  const words = { issueId, seen: null, ...submission.value };
  return runAct(
    async () => {
      await saveIssue(db, operator, words, now());
      return { to: `/operator/newsletter/${issueId}`, say: "issue-saved" };
    },
    (said) => submission.reply(errorsOf(said, form)),
    sayRefusal,
  );
}

export default function NewIssue({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Write an issue"
        description={<Link to="/operator/newsletter">All issues</Link>}
      />
      <Panel>
        <NewsletterIssueForm saved={{ subject: "", body: "" }} lastResult={actionData}>
          <input type="hidden" name="issueId" value={loaderData.issueId} />
        </NewsletterIssueForm>
      </Panel>
    </>
  );
}
