import type { Coin } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";
import { coinWords, withdrawalTerms } from "#core/withdrawal.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

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
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `Somebody who is signed in to your account asked to withdraw ${coinWords[asset]}. Compare the address with the one in your wallet, letter by letter. Nothing leaves before you confirm it.`,
    ],
    facts: [
      ["Leaves your balance", amount(to.units)],
      ["Our fee, taken from it", amount(to.feeUnits)],
      ["Arrives", amount(to.units - to.feeUnits)],
      ["Address", to.address],
      ["Its name in your book", to.label],
      ["Leaves on", `${to.dueOn} (UTC)`],
    ],
    action: { label: "Look at it and confirm", url: to.url },
    closing: [
      `The link works once, for ${withdrawalTerms.confirmLinkHours} hours. After that the withdrawal is cancelled by itself and the coins are yours to use again.`,
      "If it was not you, follow the link and cancel it there; then set a new password. Nobody needs this mail forwarded, our staff included.",
    ],
    holdsLink: true,
  });
}
