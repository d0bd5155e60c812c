import { data, Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { Button } from "#app/ui/controls/button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import type { Coin } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { cancellableStates } from "#core/payments/withdrawal.ts";
import { formatDay } from "#core/utc-day.ts";
import { appContext, requestContext } from "#server/app-context.ts";
import type { LinkState } from "#server/identity/registration/use-link.ts";
import { limits } from "#server/identity/sign-in/limits.ts";
import { clientNetwork, countAttempt } from "#server/platform/rate-limit.ts";
import {
  cancelByLink,
  confirmWithdrawal,
  inspectConfirmation,
} from "#server/withdrawals/confirm-withdrawal.ts";
import type { Route } from "./+types/confirm-withdrawal";
import { AuthCard } from "./auth-card.tsx";
import { FormWords } from "./form-words.tsx";
import { sayLink } from "./say-link.ts";

export const meta = titled("Confirm a withdrawal");

/** The address holds a token: it goes to no other site. */
export const headers = () => ({ "Referrer-Policy": "same-origin" });

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const token = url.searchParams.get("token") ?? "";
  const { state, withdrawal } = await inspectConfirmation(db, { token, now: now() });
  if (!withdrawal) return { state, withdrawal: null, canCancel: false };
  const { asset, units, feeUnits, address } = withdrawal;
  const dueOn = withdrawal.endedAt ? null : withdrawal.dueOn;
  const canCancel = cancellableStates.includes(withdrawal.state);
  return { state, withdrawal: { asset, units, feeUnits, address, dueOn }, canCancel };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const { db, now } = context.get(appContext);
  const { clientAddress: ipAddress } = context.get(requestContext);
  const token = url.searchParams.get("token") ?? "";
  const browser = { ipAddress, userAgent: request.headers.get("user-agent") };
  const at = now();
  const intent = (await request.formData()).get("intent");
  return runAct(
    async () => {
      await countAttempt(db, limits.linkByNetwork, clientNetwork(ipAddress), at);
      const done = intent === "cancel" ? "cancelled" : "confirmed";
      const act = intent === "cancel" ? cancelByLink : confirmWithdrawal;
      await act(db, { token, browser }, at);
      return data({ done, problem: null } as const);
    },
    ({ text: problem }) => ({ done: null, problem }),
    sayLink(at),
  );
}

const states: Record<LinkState, { title: string; lead: string }> = {
  open: {
    title: "Confirm this withdrawal",
    lead: "Compare the address with the one in your wallet, letter by letter. A withdrawal cannot be reversed once we have sent it.",
  },
  used: {
    title: "This was confirmed already",
    lead: "The link works once, and you no longer need it.",
  },
  replaced: {
    title: "This withdrawal is over",
    lead: "It was cancelled or rejected, or it came back. The amount is in your balance.",
  },
  expired: {
    title: "This link has expired",
    lead: "Nothing was sent. The amount is available again within minutes.",
  },
  unknown: {
    title: "This link does not work",
    lead: "It is incomplete or too old. Please copy all of it from the e-mail.",
  },
};

const outcomes = {
  confirmed: {
    title: "Thank you, it is confirmed",
    lead: "Our staff check it now. We e-mail you when we have sent it.",
  },
  cancelled: {
    title: "It is cancelled",
    lead: "The amount is available again. If you did not request it, set a new password now.",
  },
};

export default function ConfirmWithdrawal({ loaderData, actionData }: Route.ComponentProps) {
  const { state, withdrawal, canCancel } = loaderData;
  const done = actionData?.done;
  const said = done ? outcomes[done] : states[state];
  const isOpen = state === "open" && !done;
  return (
    <AuthCard
      title={said.title}
      lead={said.lead}
      links={<Link to="/account/withdraw">To your withdrawals</Link>}
    >
      <FormWords errors={actionData?.problem ? [actionData.problem] : []} />
      {withdrawal ? <About withdrawal={withdrawal} /> : null}
      {isOpen ? (
        <Form method="post">
          <Button type="submit" wide name="intent" value="confirm" pendingText="Confirming…">
            Confirm withdrawal
          </Button>
        </Form>
      ) : null}
      {canCancel && done !== "cancelled" ? (
        <Form method="post">
          <Button
            type="submit"
            wide
            name="intent"
            value="cancel"
            look="quiet"
            pendingText="Cancelling…"
          >
            It was not me: cancel it
          </Button>
        </Form>
      ) : null}
    </AuthCard>
  );
}

interface AboutProps {
  withdrawal: {
    asset: Coin;
    units: bigint;
    feeUnits: bigint;
    address: string;
    dueOn: string | null;
  };
}

function About({ withdrawal: { asset, units, feeUnits, address, dueOn } }: AboutProps) {
  const coins = (amount: bigint) => `${formatAmount(amount, asset)} ${asset}`;
  return (
    <Facts
      facts={[
        { label: "Leaves the balance", value: coins(units) },
        { label: "Our fee", value: coins(feeUnits) },
        { label: "Arrives", value: coins(units - feeUnits) },
        { label: "Address", value: <code style={{ overflowWrap: "anywhere" }}>{address}</code> },
        dueOn !== null && { label: "Leaves on", value: `${formatDay(dueOn)} (UTC day)` },
      ]}
    />
  );
}
