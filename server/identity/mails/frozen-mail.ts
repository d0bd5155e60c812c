import { securityTerms } from "#core/security-terms.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Says that the account is frozen, why, and how it is opened again. */
export function frozenMail(
  site: Site,
  { firstName, reason }: { firstName: string; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "account-frozen",
    subject: `Your ${site.siteName} account is frozen`,
    preview: "Nobody can sign in, and nothing can be changed or paid out.",
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "Your account is frozen. Everybody is signed out, nobody can sign in, and nothing can be changed or paid out. Your balances stay as they are.",
      `Why: ${reason}`,
      "To open it again, write to us. We shall ask you to show that it is you.",
    ],
    action: { label: "Write to us", url: `${site.appUrl}/contact` },
  });
}

/** Says that the account works again, and why. */
export function unfrozenMail(
  site: Site,
  { firstName, reason }: { firstName: string; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "account-unfrozen",
    subject: `Your ${site.siteName} account works again`,
    preview: "You can sign in. Set a new password first if somebody else may know it.",
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "Your account is no longer frozen.",
      `Why: ${reason}`,
      `If somebody else may know your password, set a new one first. For your safety no money can leave the account for ${securityTerms.changeHoldHours} hours.`,
    ],
    action: { label: "Set a new password", url: `${site.appUrl}/forgotpassword` },
    closing: ["If you know your password and nobody else does, just sign in."],
  });
}
