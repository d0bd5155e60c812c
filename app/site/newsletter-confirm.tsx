import { Button } from "@mantine/core";
import { data, Form, Link, redirect } from "react-router";
import { titled } from "#app/ui/page-title.ts";
import { consentText } from "#core/newsletter.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { confirmSubscription } from "#server/newsletter/confirm-subscription.ts";
import { limits } from "#server/newsletter/limits.ts";
import { findLink } from "#server/newsletter/queries.ts";
import { countAttempt, placeOf } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/newsletter-confirm";
import styles from "./newsletter.module.css";
import { TextPage } from "./text-page.tsx";

export const meta = titled("Confirm the newsletter");

/** The address holds a token: it goes to no other site. */
export const headers = () => ({ "Referrer-Policy": "same-origin" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  return { state: await findLink(db, url.searchParams.get("token") ?? "", now()) };
}

/** Only a pressed button confirms: programs that look at mail open links too. */
export async function action({ url, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const at = now();
  try {
    const place = placeOf(context.get(requestContext).clientAddress);
    await countAttempt(db, limits.linksByPlace, place, at);
    await confirmSubscription(db, { token: url.searchParams.get("token") ?? "", now: at });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return data(null, error.code === "platform/too-many-attempts" ? 429 : 400);
  }
  return redirect("/newsletter/confirmed");
}

const words = {
  open: {
    title: "Confirm the newsletter",
    lead: "Press the button to show that this mailbox is yours and that you want the newsletter.",
  },
  confirmed: {
    title: "The newsletter is confirmed",
    lead: "This has been done already. The next issue comes to your mailbox.",
  },
  expired: {
    title: "This link is too old",
    lead: "Nothing was subscribed. If you still want the newsletter, ask for a new link.",
  },
  unknown: {
    title: "This link does not work",
    lead: "It was replaced by a newer one, has been used and ended, or was not copied whole.",
  },
} as const;

export default function NewsletterConfirm({ loaderData: { state } }: Route.ComponentProps) {
  const { title, lead } = words[state];
  return (
    <TextPage title={title} lead={lead}>
      {state === "open" ? (
        <>
          <p>{consentText}</p>
          <Form method="post" className={styles.actions}>
            <Button type="submit">Confirm the newsletter</Button>
          </Form>
        </>
      ) : (
        <p>
          <Link to={state === "confirmed" ? "/" : "/newsletter"}>
            {state === "confirmed" ? "Back home" : "Ask for a new link"}
          </Link>
        </p>
      )}
    </TextPage>
  );
}
