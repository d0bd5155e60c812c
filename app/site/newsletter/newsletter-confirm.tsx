import { data, Form, Link } from "react-router";
import { leadOn, unlessRefused } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { consentText } from "#core/newsletter.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { confirmSubscription } from "#server/newsletter/confirm-subscription.ts";
import { findLink } from "#server/newsletter/find-link.ts";
import { limits } from "#server/newsletter/limits.ts";
import { clientNetwork, comeBackLater, countAttempt } from "#server/platform/rate-limit.ts";
import { TextPage } from "../frame/text-page.tsx";
import type { Route } from "./+types/newsletter-confirm";
import styles from "./newsletter.module.css";

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
  return unlessRefused(
    async () => {
      const place = clientNetwork(context.get(requestContext).clientAddress);
      await countAttempt(db, limits.linksByNetwork, place, at);
      await confirmSubscription(db, { token: url.searchParams.get("token") ?? "", now: at });
      return leadOn({ to: "/newsletter/confirmed" });
    },
    // The page itself says what became of the link.
    (refusal) => data(null, comeBackLater(refusal, at) ?? { status: 400 }),
  );
}

const words = {
  open: {
    title: "Confirm the newsletter",
    lead: "Press the button to confirm that this is your e-mail address and that you want the newsletter.",
  },
  confirmed: {
    title: "The newsletter is confirmed",
    lead: "You have already confirmed. The next issue goes to your inbox.",
  },
  expired: {
    title: "This link is too old",
    lead: "You are not subscribed. If you still want the newsletter, ask for a new link.",
  },
  unknown: {
    title: "This link does not work",
    lead: "A newer link replaced it, it has been used, or it is incomplete.",
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
