import type { Coin } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { coinWords, withdrawalTerms } from "#core/payments/withdrawal.ts";
import { formatDay } from "#core/utc-day.ts";
import { actionNeeded, renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";

/** Asks a customer to confirm that so much shall leave, and where to. */
export function confirmMail(
  site: Site,
  to: {
    firstName: string;
    asset: Coin;
    address: string;
    label: string;
    units: bigint;
    feeUnits: bigint;
    dueOn: string;
    url: string;
  },
): RenderedMail {
  const { asset } = to;
  const amount = (units: bigint) => `${formatAmount(units, asset)} ${asset}`;
  return renderMail(site, {
    template: "withdrawal-confirm",
    subject: `Confirm your withdrawal of ${amount(to.units)}`,
    preview: `To ${to.address}. Nothing leaves before you confirm.`,
    headline: "Confirm your withdrawal",
    band: actionNeeded,
    greeting: `Hello ${to.firstName},`,
    figure: ["You will receive", amount(to.units - to.feeUnits)],
    facts: [
      ["From your balance", amount(to.units)],
      ["Fee, included", amount(to.feeUnits)],
      ["Address", to.address],
      ["Name in your address book", to.label],
      ["Leaves on", `${formatDay(to.dueOn)} (UTC)`],
    ],
    paragraphs: [
      `Someone signed in to your account asked to withdraw ${coinWords[asset]}. Compare the address with the one in your wallet, letter by letter. Nothing leaves before you confirm.`,
    ],
    action: { label: "Review withdrawal", url: to.url, acts: true },
    closing: [
      `The link works once, for ${withdrawalTerms.confirmLinkHours} hours. After that we cancel the withdrawal, and the coins are available again.`,
      "If it was not you, open the link and cancel the withdrawal there. Then set a new password. Never forward this e-mail, not even to our staff.",
    ],
    because: "You get this because someone asked for a withdrawal from your account.",
    holdsLink: true,
  });
}
