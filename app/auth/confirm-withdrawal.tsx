import { Link } from "react-router";
import { Facts } from "#app/ui/page/facts.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import type { Coin } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { cancellableStates } from "#core/payments/withdrawal.ts";
import { formatDay } from "#core/utc-day.ts";
import { appContext } from "#server/app-context.ts";
import type { LinkState } from "#server/identity/registration/use-link.ts";
import {
  cancelByLink,
  confirmWithdrawal,
  inspectConfirmation,
} from "#server/withdrawals/confirm-withdrawal.ts";
import type { Route } from "./+types/confirm-withdrawal";
import { actOnLink, linkHeaders, tokenOf } from "./act-on-link.ts";
import { LinkButton, LinkPage } from "./link-page.tsx";

export const meta = titled("Confirm a withdrawal");
export const headers = linkHeaders;

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, now } = context.get(appContext);
  const link = { token: tokenOf(url), now: now() };
  const { state, withdrawal } = await inspectConfirmation(db, link);
  if (!withdrawal) return { state, withdrawal: null, canCancel: false };
  const { asset, units, feeUnits, address } = withdrawal;
  const dueOn = withdrawal.endedAt ? null : withdrawal.dueOn;
  const canCancel = cancellableStates.includes(withdrawal.state);
  return { state, withdrawal: { asset, units, feeUnits, address, dueOn }, canCancel };
}

export async function action({ request, url, context }: Route.ActionArgs) {
  const { db } = context.get(appContext);
  const isCancelled = (await request.formData()).get("intent") === "cancel";
  return actOnLink({ request, url, context }, async ({ now, ...link }) => {
    await (isCancelled ? cancelByLink : confirmWithdrawal)(db, link, now);
    return isCancelled ? "cancelled" : "confirmed";
  });
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
  return (
    <LinkPage
      words={done ? outcomes[done] : states[state]}
      problem={actionData?.problem}
      links={<Link to="/account/withdraw">To your withdrawals</Link>}
    >
      {withdrawal ? <About {...withdrawal} /> : null}
      {state === "open" && !done ? (
        <LinkButton name="intent" value="confirm" pendingText="Confirming…">
          Confirm withdrawal
        </LinkButton>
      ) : null}
      {canCancel && done !== "cancelled" ? (
        <LinkButton name="intent" value="cancel" look="quiet" pendingText="Cancelling…">
          It was not me: cancel it
        </LinkButton>
      ) : null}
    </LinkPage>
  );
}

interface AboutProps {
  asset: Coin;
  units: bigint;
  feeUnits: bigint;
  address: string;
  dueOn: string | null;
}

function About({ asset, units, feeUnits, address, dueOn }: AboutProps) {
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
