import { randomUUID } from "node:crypto";
import { Link } from "react-router";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { Panel } from "#app/ui/page/panel.tsx";
import { contactLimits } from "#core/contact.ts";
import { retention } from "#core/retention.ts";
import { oneLine } from "#core/text/plain-text.ts";
import { appContext } from "#server/app-context.ts";
import { customerContext } from "#server/identity/sessions/person-context.ts";
import type { Route } from "./+types/new";
import { MessageForm } from "./message-form.tsx";
import { newMessageSchema } from "./message-schema.ts";
import styles from "./messages.module.css";
import { readAbout } from "./read-about.ts";
import { takeMessage } from "./take-message.ts";

export const meta = titled("New message");
export const shouldRevalidate = readAfterConflict;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  const { id } = context.get(customerContext);
  const about = await readAbout(db, id, url.searchParams.get("about"));
  const asked = oneLine(url.searchParams.get("subject") ?? "").slice(0, contactLimits.subject);
  return { about, subject: about?.words ?? asked, submissionKey: randomUUID() };
}

export function action({ request, context }: Route.ActionArgs) {
  const { db } = context.get(appContext);
  const { id } = context.get(customerContext);
  return takeMessage({ request, context }, newMessageSchema, async ({ subject, about }) => {
    const known = await readAbout(db, id, about);
    return { subject, about: known?.value ?? null };
  });
}

export default function NewMessage({ loaderData, actionData }: Route.ComponentProps) {
  const { about, subject, submissionKey } = loaderData;
  return (
    <>
      <PageHeader
        title="New message"
        description="A person on our staff reads it. You find the answer here, and we e-mail you when it comes."
      />
      <div className={styles.narrow}>
        <Panel>
          {about ? (
            <p className={styles.about}>
              About: <Link to={about.path}>{about.words}</Link>
            </p>
          ) : null}
          <MessageForm
            opening={{ subject, about: about?.value ?? "" }}
            submissionKey={submissionKey}
            lastResult={actionData?.result}
          />
        </Panel>
        <p className={layout.note}>
          We never ask for your password, and never for a payment before you can withdraw. We delete
          messages and files {retention.contactThreadDays} days after the last message.
        </p>
      </div>
    </>
  );
}
