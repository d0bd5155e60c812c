import { Link } from "react-router";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext } from "#server/app-context.ts";
import { freezeByLink, inspectFreezeLink } from "#server/identity/account/freeze-account.ts";
import type { Route } from "./+types/freeze";
import { actOnLink, linkHeaders, tokenOf } from "./act-on-link.ts";
import { LinkButton, LinkPage } from "./link-page.tsx";

export const meta = titled("Freeze the account");
export const headers = linkHeaders;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  return { state: await inspectFreezeLink(db, { token: tokenOf(url), now: now() }) };
}

export function action(sent: Route.ActionArgs) {
  return actOnLink(sent, async ({ token, browser, now }) => {
    const { ipAddress: clientAddress, userAgent } = browser;
    const link = { token, clientAddress, userAgent: userAgent ?? "", now };
    await freezeByLink(sent.context.get(appContext), link);
    return "done";
  });
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

export default function Freeze({ loaderData: { state }, actionData }: Route.ComponentProps) {
  const isOpen = state === "open" && !actionData?.done;
  return (
    <LinkPage
      words={words[actionData?.done ?? state]}
      // Of a link that is over the page itself says why.
      problem={isOpen ? actionData?.problem : null}
      links={<Link to="/contact">Write to us</Link>}
    >
      {isOpen ? (
        <LinkButton tone="brick" pendingText="Freezing…">
          Freeze the account
        </LinkButton>
      ) : null}
    </LinkPage>
  );
}
