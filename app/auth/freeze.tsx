import { data, Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext } from "#server/app-context.ts";
import { freezeByLink, inspectFreezeLink } from "#server/identity/account/freeze-account.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { clientNetwork, countAttempt } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/freeze";
import { AuthCard } from "./auth-card.tsx";
import { FormWords } from "./form-words.tsx";
import { sayLink } from "./say-link.ts";
import { visitorOf } from "./visitor-of.ts";

export const meta = titled("Freeze the account");

/** The address holds a token: it goes to no other site. */
export const headers = () => ({ "Referrer-Policy": "same-origin" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  return { state: await inspectFreezeLink(db, { token: tokenOf(url), now: now() }) };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const app = context.get(appContext);
  const { clientAddress, userAgent, now } = visitorOf(request, context);
  return runAct(
    async () => {
      await countAttempt(app.db, limits.linkByNetwork, clientNetwork(clientAddress), now);
      await freezeByLink(app, { token: tokenOf(url), clientAddress, userAgent, now });
      return data({ done: true, problem: null });
    },
    // Of a link that is over the page itself says why.
    ({ text, status }) => ({ done: false, problem: status === 400 ? null : text }),
    sayLink(now),
  );
}

function tokenOf(url: URL): string {
  return url.searchParams.get("token") ?? "";
}

const words = {
  open: {
    title: "Freeze the account?",
    lead: "We sign out every device at once. Until our staff have spoken with you, no one can sign in, change anything or withdraw. Your balances stay as they are.",
  },
  used: {
    title: "This link has been used",
    lead: "It works once, and it froze the account then. To open the account again, or if something still looks wrong, write to us.",
  },
  expired: {
    title: "This link has expired",
    lead: "It worked for 7 days. If something looks wrong, write to us: we can freeze the account for you.",
  },
  unknown: {
    title: "This link does not work",
    lead: "It is incomplete. Please copy all of it from the e-mail, or write to us: we can freeze the account for you.",
  },
  done: {
    title: "The account is frozen",
    lead: "Every device is signed out. To open the account again, write to us. We will ask you to prove that it is yours.",
  },
};

export default function Freeze({ loaderData, actionData }: Route.ComponentProps) {
  const { title, lead } = words[actionData?.done ? "done" : loaderData.state];
  const links = <Link to="/contact">Write to us</Link>;
  return (
    <AuthCard title={title} lead={lead} links={links}>
      <FormWords errors={actionData?.problem ? [actionData.problem] : []} />
      {loaderData.state === "open" && !actionData?.done ? (
        <Form method="post">
          <Button type="submit" wide tone="brick" pendingText="Freezing…">
            Freeze the account
          </Button>
        </Form>
      ) : null}
    </AuthCard>
  );
}
