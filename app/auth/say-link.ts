import { type Said, sayFrom, type Texts } from "#app/run-act.ts";
import type { Refusal } from "#core/refusal.ts";
import { frozenText } from "#server/identity/mfa/mfa-error.ts";
import { comeBackLater } from "#server/platform/rate-limit.ts";

/** What pages behind the links of mails say. Everything else that is refused there is a link that is over. */
export const links: Texts = {
  "identity/email-not-available": "The account cannot get this address. Nothing was changed.",
  "identity/account-frozen": frozenText,
  "withdrawals/account-frozen": frozenText,
  "withdrawals/money-stays":
    "Your sign-in details changed, so withdrawals are paused for 24 hours. Confirm after that, or request it again.",
  "withdrawals/credit-taken-back":
    "We have to take back a credit of this coin, so it cannot be withdrawn until that is done. You can cancel the withdrawal in your account.",
  "withdrawals/address-refused-ether":
    "The contract at this address refused ether that we sent before. Cancel the withdrawal in your account, and withdraw to another address.",
  "withdrawals/too-late":
    "It is already in a batch, so you can no longer cancel it. If you did not request it, write to us at once.",
};

const say = sayFrom(links);

/** What a page behind a link says of a refusal; of a limit, when to come back. */
export function sayLink(now: Date, undone?: string): (refusal: Refusal) => Said {
  return (refusal) => {
    const later = comeBackLater(refusal, now, undone);
    if (later) return { ...later, text: later.words };
    return say(refusal) ?? { status: 400, text: "This link does not work any more." };
  };
}
