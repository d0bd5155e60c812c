import { Link } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { contactLimits } from "#core/contact.ts";
import { appContext } from "#server/app-context.ts";
import { answerBack } from "#server/contact/answer-back.ts";
import { findReference } from "#server/contact/find-reference.ts";
import { issueFormToken } from "#server/contact/form-token.ts";
import { threadIdIn } from "#server/contact/thread-token.ts";
import { getCompany } from "#server/content/get-company.ts";
import { SitePage } from "../frame/site-page.tsx";
import type { Route } from "./+types/contact-answer";
import styles from "./contact.module.css";
import { takeForm, textOf } from "./contact-answer-of.ts";
import { answerForm, contactWords } from "./contact-schema.ts";

export const meta = titled("Your answer");

/** The address holds a token: it goes to no other site. */
export const headers: Route.HeadersFunction = (page) => ({
  ...answerHeaders(page),
  "Referrer-Policy": "same-origin",
});

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(appContext);
  const token = url.searchParams.get("token");
  const threadId = threadIdIn(config, token);
  return {
    token,
    reference: threadId ? await findReference(db, threadId) : null,
    formToken: issueFormToken(config.authSecret, now()),
  };
}

export function action(sent: Route.ActionArgs) {
  return takeForm(sent, answerForm, async (app, value, { form, ...arrival }) => {
    const { email } = await getCompany(app.db);
    const { reference } = await answerBack(app, {
      ...value,
      ...arrival,
      threadToken: sent.url.searchParams.get("token"),
      formToken: textOf(form, "formToken"),
      notify: email || null,
    });
    return `/contact/sent?reference=${reference}`;
  });
}

export default function ContactAnswer({ loaderData, actionData }: Route.ComponentProps) {
  const { reference, token, formToken } = loaderData;
  if (!reference) return <Gone />;
  const { errors = {}, problem = null, typed = {} } = actionData ?? {};
  return (
    <SitePage
      width="narrow"
      title="Your answer"
      lead={
        <>
          It reaches the person who answered you, under the reference{" "}
          <span className={styles.reference}>{reference}</span>.
        </>
      }
    >
      <form
        method="post"
        action={`/contact/answer?token=${encodeURIComponent(token ?? "")}`}
        className={`${styles.form} ${styles.answer}`}
        noValidate
        data-own-errors
      >
        {problem ? <Notice tone="error">{problem}</Notice> : null}
        <TextArea
          label="Message"
          name="message"
          rows={8}
          required
          data-missing={contactWords.message.missing}
          maxLength={contactLimits.message}
          defaultValue={typed["message"] ?? ""}
          error={errors["message"]}
          autoFocus={errors["message"] !== undefined}
        />
        <input type="hidden" name="formToken" value={typed["formToken"] ?? formToken} />
        <div className={styles.actions}>
          <Button type="submit">Send answer</Button>
        </div>
      </form>
    </SitePage>
  );
}

function Gone() {
  return (
    <SitePage
      width="narrow"
      title="This link does not work any more"
      lead="The link is incomplete, or the conversation has been deleted: we delete it some time after the last message."
    >
      <div className={styles.body}>
        <p>
          <Link to="/contact">Write a new message</Link>
        </p>
      </div>
    </SitePage>
  );
}
