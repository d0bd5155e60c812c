import { data, Form, Link } from "react-router";
import { leadOn, unlessRefused } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext } from "#server/app-context.ts";
import { endSubscription } from "#server/newsletter/end-subscription.ts";
import { findLeavingLink } from "#server/newsletter/find-link.ts";
import { TextPage } from "../frame/text-page.tsx";
import type { Route } from "./+types/newsletter-unsubscribe";
import styles from "./newsletter.module.css";

export const meta = titled("Unsubscribe");

/** The address holds a token: it goes to no other site. */
export const headers = () => ({ "Referrer-Policy": "same-origin" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db } = context.get(appContext);
  return { state: await findLeavingLink(db, url.searchParams.get("token") ?? "") };
}

/** For people. Mail programs post to the same address: server/newsletter/answer-one-click.ts. */
export async function action({ url, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const token = url.searchParams.get("token") ?? "";
  return unlessRefused(
    async () => {
      await endSubscription(db, { token, by: "page", now: now() });
      return leadOn({ to: "/newsletter/unsubscribed" });
    },
    // The page itself says what became of the link.
    () => data(null, 400),
  );
}

const words = {
  open: {
    title: "Unsubscribe",
    lead: "Press the button and we send no issue of the newsletter to this address again, except one that is on its way.",
  },
  ended: {
    title: "You are unsubscribed",
    lead: "You have already unsubscribed. We send no newsletter to this address.",
  },
  unknown: {
    title: "This link does not work",
    lead: "It is incomplete. Every issue has one that works.",
  },
} as const;

export default function NewsletterUnsubscribe({ loaderData: { state } }: Route.ComponentProps) {
  const { title, lead } = words[state];
  return (
    <TextPage title={title} lead={lead}>
      {state === "open" ? (
        <Form method="post" className={styles.actions}>
          <Button type="submit">Unsubscribe</Button>
        </Form>
      ) : (
        <p>
          <Link to={state === "ended" ? "/" : "/contact"}>
            {state === "ended" ? "Back home" : "Write to us"}
          </Link>
        </p>
      )}
    </TextPage>
  );
}
