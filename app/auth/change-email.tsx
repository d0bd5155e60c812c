import { Link } from "react-router";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext } from "#server/app-context.ts";
import {
  type Agreement,
  confirmEmailChange,
  inspectEmailChange,
} from "#server/identity/email-change/confirm-email-change.ts";
import type { LinkState } from "#server/identity/registration/use-link.ts";
import type { Route } from "./+types/change-email";
import { actOnLink, linkHeaders, tokenOf } from "./act-on-link.ts";
import { LinkButton, LinkPage } from "./link-page.tsx";

export const meta = titled("Confirm a new e-mail address");
export const headers = linkHeaders;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  return inspectEmailChange(db, { token: tokenOf(url), now: now() });
}

export function action(sent: Route.ActionArgs) {
  const { db, config: site } = sent.context.get(appContext);
  return actOnLink(sent, (link) => confirmEmailChange(db, { ...link, site }));
}

interface Words {
  title: string;
  lead: string;
}

const done: Record<Agreement, Words> = {
  changed: {
    title: "The address is changed",
    lead: "You confirmed both addresses. From now on you sign in with the new one.",
  },
  "waits-for-old": {
    title: "Thank you",
    lead: "This address is confirmed. We make the change once you follow the link in the e-mail to your old address, too.",
  },
  "waits-for-new": {
    title: "Thank you",
    lead: "This address is confirmed. We make the change once you follow the link in the e-mail to your new address, too.",
  },
};

const states: Record<LinkState, Words> = {
  open: { title: "Confirm the change", lead: "" },
  used: {
    title: "This was confirmed already",
    lead: "The link works once, and you no longer need it.",
  },
  replaced: {
    title: "This change is over",
    lead: "It was made or cancelled, or another one replaced it. A new password and a freeze end it, too.",
  },
  expired: {
    title: "This link has expired",
    lead: "Nothing was changed. Ask for the change again in your profile.",
  },
  unknown: {
    title: "This link does not work",
    lead: "It is incomplete or too old. Please copy all of it from the e-mail.",
  },
};

function open(side: "old" | "new", newEmail: string | null): Words {
  const lead =
    side === "old"
      ? `Your account gets the e-mail address ${newEmail} once you confirm it there, too.`
      : `An account gets the e-mail address ${newEmail} once it is confirmed at the old address, too.`;
  return { title: "Confirm the new address", lead };
}

export default function ChangeEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { state, side, newEmail } = loaderData;
  const agreement = actionData?.done;
  const isOpen = state === "open" && !agreement;
  return (
    <LinkPage
      words={agreement ? done[agreement] : isOpen ? open(side, newEmail) : states[state]}
      problem={actionData?.problem}
      links={<Link to="/account/profile">To your profile</Link>}
    >
      {isOpen ? <LinkButton>I agree</LinkButton> : null}
    </LinkPage>
  );
}
