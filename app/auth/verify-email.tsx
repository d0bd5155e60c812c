import { Link, type RouterContextProvider } from "react-router";
import { answerHeaders } from "#app/answer-headers.ts";
import { runAct } from "#app/run-act.ts";
import { titled } from "#app/ui/page/page-title.ts";
import { Refusal } from "#core/refusal.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import { findCustomer } from "#server/identity/account/find-customer.ts";
import { askVerificationAgain } from "#server/identity/registration/ask-verification-again.ts";
import { inspectLink } from "#server/identity/registration/use-link.ts";
import { verifyEmail } from "#server/identity/registration/verify-email.ts";
import { findSignedInUser } from "#server/identity/sessions/signed-in-user.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { clientNetwork, countAttempt } from "#server/platform/rate-limit.ts";
import type { Route } from "./+types/verify-email";
import { linkHeaders } from "./act-on-link.ts";
import { LinkButton, LinkPage } from "./link-page.tsx";
import { sayLink } from "./say-link.ts";

export const meta = titled("Verify your e-mail address");

export const headers = (answer: Route.HeadersArgs) => ({
  ...answerHeaders(answer),
  ...linkHeaders(),
});

type Situation = "open" | "verified" | "replaced" | "expired" | "unknown" | "waiting" | "stranger";

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const { situation, userId, signedIn } = await look(request, url, context);
  return { situation, canResend: userId !== null && situation !== "verified", signedIn };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const form = await request.formData();
  return runAct(
    () =>
      form.get("intent") === "resend"
        ? resend(request, url, context)
        : verify(request, url, context),
    ({ text: problem }) => ({ problem }),
    sayLink(context.get(appContext).now(), "nothing was sent"),
  );
}

async function verify(request: Request, url: URL, context: Readonly<RouterContextProvider>) {
  const { db, auth, now } = context.get(appContext);
  await countAttempt(
    db,
    limits.linkByNetwork,
    clientNetwork(context.get(requestContext).clientAddress),
    now(),
  );
  await verifyEmail(db, { token: tokenOf(url) ?? "", now: now() });
  const user = await findSignedInUser({ auth, db }, request);
  const to = user?.kind === "customer" ? "/account/dashboard" : "/login";
  return { to, say: "email-verified" } as const;
}

async function resend(request: Request, url: URL, context: Readonly<RouterContextProvider>) {
  const app = context.get(appContext);
  const { clientAddress } = context.get(requestContext);
  const { userId } = await look(request, url, context);
  if (!userId) throw new Refusal("identity/link-unknown");
  await askVerificationAgain(app, { userId, clientAddress, now: app.now() });
  return { to: url.pathname + url.search, say: "verification-sent" } as const;
}

/** What the link, or without one the session, says about the person before us. Uses nothing up. */
async function look(
  request: Request,
  url: URL,
  context: Readonly<RouterContextProvider>,
): Promise<{ situation: Situation; userId: string | null; signedIn: boolean }> {
  const { db, auth, now } = context.get(appContext);
  const user = await findSignedInUser({ auth, db }, request);
  const signedIn = user?.kind === "customer";
  const token = tokenOf(url);
  if (token === null) {
    const customer = signedIn ? await findCustomer(db, user.id) : null;
    if (!customer) return { situation: "stranger", userId: null, signedIn };
    const situation = customer.emailVerified ? "verified" : "waiting";
    return { situation, userId: customer.id, signedIn };
  }
  const link = await inspectLink(db, { token, purposes: ["verify-email"], now: now() });
  const customer = link.userId ? await findCustomer(db, link.userId) : null;
  const isDone = customer?.emailVerified || link.state === "used";
  return {
    situation: isDone ? "verified" : (link.state as Situation),
    userId: link.userId,
    signedIn,
  };
}

function tokenOf(url: URL): string | null {
  return url.searchParams.get("token");
}

const words: Record<Situation, { title: string; lead: string }> = {
  open: {
    title: "Verify your e-mail address",
    lead: "Press the button to confirm that this address is yours.",
  },
  verified: {
    title: "Your e-mail address is verified",
    lead: "You have done this already. The link works once, and you no longer need it.",
  },
  replaced: {
    title: "There is a newer link",
    lead: "This link no longer works, because a newer one was sent. Please open the newest e-mail.",
  },
  expired: { title: "This link has expired", lead: "Ask for a new one: we e-mail it to you." },
  unknown: {
    title: "This link does not work",
    lead: "It is incomplete or too old. Copy all of it from the e-mail, or sign in and ask for a new one.",
  },
  waiting: {
    title: "Verify your e-mail address",
    lead: "We e-mailed you a link. If it did not arrive, check your spam folder or ask for a new one.",
  },
  stranger: {
    title: "Verify your e-mail address",
    lead: "Please open the link in the e-mail we sent. To get a new one, sign in first.",
  },
};

export default function VerifyEmail({ loaderData, actionData }: Route.ComponentProps) {
  const { situation, canResend, signedIn } = loaderData;
  return (
    <LinkPage
      words={words[situation]}
      problem={actionData?.problem}
      links={
        signedIn ? (
          <Link to="/account/dashboard">To the dashboard</Link>
        ) : (
          <Link to="/login">Log in</Link>
        )
      }
    >
      {situation === "open" ? (
        <LinkButton name="intent" value="verify">
          Verify e-mail address
        </LinkButton>
      ) : canResend ? (
        <LinkButton name="intent" value="resend">
          Send a new link
        </LinkButton>
      ) : null}
    </LinkPage>
  );
}
