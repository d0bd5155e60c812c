import { Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import {
  inspectReturn,
  keepAccount,
  type ReturnState,
} from "#server/personal-data/keep-account.ts";
import { clientNetwork, countAttempt } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/keep-account";
import { AuthCard } from "./auth-card.tsx";
import { FormWords } from "./form-words.tsx";
import { sayLink } from "./say-link.ts";

export const meta = titled("Open your account again");

/** The address holds a token: it goes to no other site. */
export const headers = () => ({ "Referrer-Policy": "same-origin" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const token = url.searchParams.get("token") ?? "";
  return { state: await inspectReturn(db, { token, now: now() }) };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const token = url.searchParams.get("token") ?? "";
  const browser = { ipAddress, userAgent: request.headers.get("user-agent") };
  const at = now();
  return runAct(
    async () => {
      await countAttempt(db, limits.linkByNetwork, clientNetwork(ipAddress), at);
      await keepAccount(db, { token, browser, now: at });
      return { to: "/login", say: "account-kept" };
    },
    ({ text: problem }) => ({ problem }),
    sayLink(at),
  );
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
  const login = <Link to="/login">Log in</Link>;
  return (
    <AuthCard title={words[state].title} lead={words[state].lead} links={login}>
      <FormWords errors={actionData?.problem ? [actionData.problem] : []} />
      {state === "open" ? (
        <Form method="post">
          <Button type="submit" wide>
            Open the account again
          </Button>
        </Form>
      ) : null}
    </AuthCard>
  );
}
