import { conflict, type Said, sayFrom, type Texts } from "#app/run-act.ts";
import { notAPhone } from "#core/people/phone.ts";
import type { Refusal } from "#core/refusal.ts";
import { frozenText } from "#server/identity/mfa/mfa-error.ts";
import { comeBackLater } from "#server/platform/rate-limit.ts";

/** Why a part of the profile was not saved, or the account not closed. */
export const settings: Texts = {
  "identity/changed-meanwhile": conflict(
    "This was changed in another tab or on another device. Nothing was saved, and what you typed is still here. Save again to replace the newer text, or reload the page to see it.",
  ),
  "identity/no-such-phone": {
    field: "phone",
    text: `${notAPhone}. Choose its country, or begin with + and the country's code`,
  },
  "identity/wrong-password": { field: "password", text: "This is not your current password" },
  "identity/email-is-the-same": { field: "newEmail", text: "This is your address already" },
  "identity/account-frozen": frozenText,
};

const say = sayFrom(settings);

/** What is said of a setting that was refused; of a limit, when to come back. */
export function saySetting(now: Date): (refusal: Refusal) => Said | undefined {
  return (refusal) => {
    const later = comeBackLater(refusal, now, "nothing was changed");
    return later ? { ...later, text: later.words } : say(refusal);
  };
}
