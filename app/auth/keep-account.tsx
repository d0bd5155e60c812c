import { Link } from "react-router";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext } from "#server/app-context.ts";
import {
  inspectReturn,
  keepAccount,
  type ReturnState,
} from "#server/personal-data/keep-account.ts";
import type { Route } from "./+types/keep-account";
import { actOnLink, linkHeaders, tokenOf } from "./act-on-link.ts";
import { LinkButton, LinkPage } from "./link-page.tsx";

export const meta = titled("Open your account again");
export const headers = linkHeaders;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  return { state: await inspectReturn(db, { token: tokenOf(url), now: now() }) };
}

export function action(sent: Route.ActionArgs) {
  return actOnLink(sent, async (link) => {
    await keepAccount(sent.context.get(appContext).db, link);
    return { to: "/login", say: "account-kept" };
  });
}

const words: Record<ReturnState, { title: string; lead: string }> = {
  open: {
    title: "Open your account again",
    lead: "Your account is closed. Press the button to open it again as it was, then sign in.",
  },
  "too-late": {
    title: "It is too late",
    lead: "The time to change your mind is over. We have erased your personal data, or are erasing it.",
  },
  unknown: {
    title: "This link does not work",
    lead: "You have used it already, or it is incomplete or too old. If your account is open, sign in.",
  },
};

export default function KeepAccount({ loaderData: { state }, actionData }: Route.ComponentProps) {
  return (
    <LinkPage
      words={words[state]}
      problem={actionData?.problem}
      links={<Link to="/login">Log in</Link>}
    >
      {state === "open" ? <LinkButton>Open the account again</LinkButton> : null}
    </LinkPage>
  );
}
