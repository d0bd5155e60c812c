import { data, Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import {
  type Agreement,
  confirmEmailChange,
  inspectEmailChange,
} from "#server/identity/email-change/confirm-email-change.ts";
import type { LinkState } from "#server/identity/registration/use-link.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { clientNetwork, countAttempt } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/change-email";
import { AuthCard } from "./auth-card.tsx";
import { FormWords } from "./form-words.tsx";
import { sayLink } from "./say-link.ts";

export const meta = titled("Confirm a new e-mail address");

/** The address holds a token: it goes to no other site. */
export const headers = () => ({ "Referrer-Policy": "same-origin" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const token = url.searchParams.get("token") ?? "";
  return inspectEmailChange(db, { token, now: now() });
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const { db, config, now } = context.get(appContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const token = url.searchParams.get("token") ?? "";
  const browser = { ipAddress, userAgent: request.headers.get("user-agent") };
  const at = now();
  return runAct(
    async () => {
      await countAttempt(db, limits.linkByNetwork, clientNetwork(ipAddress), at);
      const agreement = await confirmEmailChange(db, { token, browser, site: config, now: at });
      return data({ agreement, problem: null });
    },
    ({ text: problem }) => ({ agreement: null, problem }),
    sayLink(at),
  );
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
  const agreement = actionData?.agreement;
  const isOpen = state === "open" && !agreement;
  const said = agreement ? done[agreement] : isOpen ? open(side, newEmail) : states[state];
  const profile = <Link to="/account/profile">To your profile</Link>;
  return (
    <AuthCard title={said.title} lead={said.lead} links={profile}>
      <FormWords errors={actionData?.problem ? [actionData.problem] : []} />
      {isOpen ? (
        <Form method="post">
          <Button type="submit" wide>
            I agree
          </Button>
        </Form>
      ) : null}
    </AuthCard>
  );
}
