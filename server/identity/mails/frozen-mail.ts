import { securityTerms } from "#core/people/security-terms.ts";
import { done, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { aboutSecurity } from "./about-security.ts";

/** Says that the account is frozen, why, and how it is opened again. */
export function frozenMail(
  site: Site,
  { firstName, reason }: { firstName: string; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "account-frozen",
    subject: `Your ${site.siteName} account is frozen`,
    preview: "No one can sign in, and nothing can be changed or paid out.",
    headline: "Your account is frozen",
    band: { tone: "loss", word: "Account frozen" },
    greeting: `Hello ${firstName},`,
    quotes: [["Reason", reason]],
    paragraphs: [
      "We signed out every device. No one can sign in, and nothing can be changed or paid out. Your balances stay as they are.",
      "To open the account again, write to us. We will ask you to show that it is you.",
    ],
    action: { label: "Write to us", url: `${site.appUrl}/contact` },
    because: aboutSecurity,
  });
}

/** Says that the account works again, and why. */
export function unfrozenMail(
  site: Site,
  { firstName, isStaff, reason }: { firstName: string; isStaff: boolean; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "account-unfrozen",
    subject: `Your ${site.siteName} account works again`,
    preview: "You can sign in. If someone else may know your password, set a new one first.",
    headline: "You can sign in again",
    band: done,
    greeting: `Hello ${firstName},`,
    ...(!isStaff && {
      facts: [["Withdrawals paused for", `${securityTerms.changeHoldHours} hours`]] as const,
    }),
    quotes: [["Reason", reason]],
    paragraphs: [
      `Your account is no longer frozen. If someone else may know your password, set a new one before you sign in.${isStaff ? "" : " Withdrawals stay paused a little longer, for your safety."}`,
    ],
    action: { label: "Set a new password", url: `${site.appUrl}/forgotpassword` },
    closing: ["If only you know your password, sign in as usual."],
    because: aboutSecurity,
  });
}
