import { Form, Link } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { type MessageTopic, messageTopics } from "#core/contact.ts";
import type { Thread } from "#server/contact/find-thread.ts";
import { useMay } from "../parts/use-may.ts";
import styles from "./message.module.css";

/** Who wrote, as far as it is known, where the thread stands, and where it can be put without an answer. */
export function MessageFacts({
  thread,
  isAnswered,
  now,
}: {
  thread: Thread;
  isAnswered: boolean;
  now: Date;
}) {
  const { state, writer } = thread;
  return (
    <>
      {thread.isSuspected ? (
        <Notice tone="warning" title="Caught by the hidden field">
          A field that people do not see was filled, so we mailed no one. If it was a person, put it
          back among those that wait.
        </Notice>
      ) : null}
      <Panel title="From" aside={<StatusBadge status={words[state]} tone={tones[state]} />}>
        <Facts
          facts={[
            { label: "Name", value: thread.senderName },
            { label: "E-mail", value: thread.senderEmail },
            writer !== null && {
              label: "Signed in as",
              value: <Link to={`/operator/customers/${writer.customerId}`}>{writer.name}</Link>,
            },
            writer === null && { label: "Account", value: <Owner thread={thread} /> },
            thread.about !== null && {
              label: "About",
              value: <About about={thread.about} customerId={writer?.customerId} />,
            },
            { label: "Reference", value: thread.reference },
            { label: "Written", value: thread.createdAt },
            state === "open" && {
              label: "Waiting",
              value: <Age at={thread.waitingSince} now={now} />,
            },
          ]}
        />
      </Panel>
      <Form method="post" className={layout.row} aria-label="Put elsewhere without an answer">
        <input type="hidden" name="seen" value={thread.revision} />
        {state === "open" ? <Move to="closed">Close without an answer</Move> : null}
        {state === "answered" ? <Move to="closed">Close</Move> : null}
        {state === "open" ? null : <Move to="open">Put back among those that wait</Move>}
        {state === "spam" || writer !== null || isAnswered ? null : (
          <Move to="spam">Mark as spam</Move>
        )}
      </Form>
    </>
  );
}

const words = { open: "waiting", answered: "answered", closed: "closed", spam: "spam" } as const;
const tones = { open: "waiting", answered: "good", closed: "plain", spam: "bad" } as const;

/** An address proves nobody: anybody can type it. */
function Owner({ thread: { addressOf } }: { thread: Thread }) {
  if (!addressOf) return <span className={styles.muted}>The address belongs to no account</span>;
  const { customerId, name } = addressOf;
  return (
    <>
      The address is that of <Link to={`/operator/customers/${customerId}`}>{name}</Link>
      <div className={styles.muted}>
        Not signed in when writing: it may be someone else. Say nothing here that only the customer
        may know.
      </div>
    </>
  );
}

/** The customer's own case that the thread is about. */
function About({ about, customerId }: { about: string; customerId: string | undefined }) {
  const [named = "", id = ""] = about.split(":");
  const topic = messageTopics.find((each) => each === named);
  if (!topic) return about;
  const pages: Record<MessageTopic, string> = {
    deposit: `/operator/deposits/${id}`,
    contract: `/operator/customers/${customerId}/contracts`,
    withdrawal: `/operator/withdrawals/${id}`,
  };
  return (
    <Link to={pages[topic]}>
      {topic.charAt(0).toUpperCase() + topic.slice(1)} {id.slice(0, 8)}
    </Link>
  );
}

const needed = {
  closed: "contact/close",
  open: "contact/reopen",
  spam: "contact/mark-as-spam",
} as const;

function Move({ to, children }: { to: keyof typeof needed; children: string }) {
  const may = useMay();
  if (!may(needed[to])) return null;
  return (
    <Button type="submit" look="quiet" name="intent" value={to}>
      {children}
    </Button>
  );
}
