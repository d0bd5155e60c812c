import { Button } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { titled } from "#app/ui/page-title.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext } from "#server/app-context.ts";
import { endSubscription } from "#server/newsletter/end-subscription.ts";
import { findLeavingLink } from "#server/newsletter/queries.ts";
import type { Route } from "./+types/newsletter-unsubscribe";
import styles from "./newsletter.module.css";
import { TextPage } from "./text-page.tsx";

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
  try {
    await endSubscription(db, { token, by: "page", now: now() });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return data(null, 400);
  }
  return redirect("/newsletter/unsubscribed");
}

const words = {
  open: {
    title: "Unsubscribe",
    lead: "Press the button, and no issue of the newsletter goes to this mailbox any more.",
  },
  ended: {
    title: "You are unsubscribed",
    lead: "This has been done already. No newsletter goes to this mailbox.",
  },
  unknown: {
    title: "This link does not work",
    lead: "It was not copied whole, or belongs to a test. Every issue holds one that works.",
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
