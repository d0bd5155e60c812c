import { Form, useLocation } from "react-router";
import { Button, ButtonLink } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Delivered, Issue } from "#server/newsletter/list-issues.ts";
import { useMay } from "../parts/use-may.ts";
import styles from "./newsletter-issue.module.css";

interface NewsletterSendingProps {
  /** Whether the summary has been asked for: only then can it be sent. */
  isReviewed: boolean;
  seen: number;
  subscribers: number;
  submissionKey: string;
  hasImprint: boolean;
}

/** What can be done with a draft: try it, look it over, send it, throw it away. */
export function NewsletterSending(props: NewsletterSendingProps) {
  const { isReviewed, seen, subscribers, submissionKey, hasImprint } = props;
  return (
    <Panel title={isReviewed ? "Send it now?" : "Sending"}>
      {hasImprint ? null : (
        <Notice tone="warning" title="No postal address">
          Many countries want the sender's name and postal address in every newsletter. Enter the
          company in the console, and it appears below each issue.
        </Notice>
      )}
      <Form method="post" className={styles.form}>
        <input type="hidden" name="seen" value={seen} />
        <input type="hidden" name="submissionKey" value={submissionKey} />
        {isReviewed ? (
          <Summary subscribers={subscribers} />
        ) : (
          <div className={styles.acts}>
            <Act intent="review">Look over and send</Act>
            <Act intent="test">Send a test to myself</Act>
            <Act intent="discard">Throw the draft away</Act>
          </div>
        )}
      </Form>
    </Panel>
  );
}

function Summary({ subscribers }: { subscribers: number }) {
  const { pathname } = useLocation();
  const people = subscribers === 1 ? "1 subscriber" : `${subscribers} subscribers`;
  return (
    <>
      <p className={styles.said}>
        The issue goes to <strong>{people}</strong>, once each, as the preview shows it. What has
        left cannot be called back, and what was sent is never rewritten.
      </p>
      <div className={styles.acts}>
        <SubmitButton
          name="intent"
          value="send"
          pendingText="Sending…"
          disabled={subscribers === 0}
        >
          {`Send to ${people}`}
        </SubmitButton>
        <ButtonLink to={pathname} look="quiet">
          Change it again
        </ButtonLink>
      </div>
    </>
  );
}

const needed = {
  review: "newsletter/send-issue",
  test: "newsletter/send-test",
  discard: "newsletter/discard-issue",
  stop: "newsletter/stop-issue",
} as const;

function Act({ intent, children }: { intent: keyof typeof needed; children: string }) {
  const may = useMay();
  if (!may(needed[intent])) return null;
  return (
    <Button type="submit" look="quiet" name="intent" value={intent}>
      {children}
    </Button>
  );
}

/** What became of an issue that was sent. */
export function NewsletterDelivery({
  issue,
  delivered,
}: {
  issue: Issue;
  delivered: Delivered | null;
}) {
  const { recipients = 0, sent = 0, waiting = 0, failed = 0 } = delivered ?? {};
  const { withdrawn = 0, leftSince = 0 } = delivered ?? {};
  return (
    <>
      <Panel title="Delivery" aside={<StatusBadge status={issue.state} />}>
        <Facts
          facts={[
            { label: "Begun", value: issue.startedAt },
            {
              label: issue.state === "stopped" ? "Stopped" : "All queued",
              value: issue.finishedAt,
            },
            { label: "Recipients", value: recipients },
            { label: "Sent", value: sent },
            { label: "Waiting in the mail queue", value: waiting },
            { label: "Failed", value: failed },
            { label: "Taken back, the reader left before", value: withdrawn },
            { label: "Left since", value: leftSince },
          ]}
        />
        {issue.state === "sending" ? (
          <Form method="post" className={styles.form}>
            <div className={styles.acts}>
              <Act intent="stop">Stop: queue no more of them</Act>
            </div>
          </Form>
        ) : null}
      </Panel>
      <Panel title="Text">
        <p className={styles.text}>{issue.body}</p>
      </Panel>
    </>
  );
}
