import type { OperatorRole } from "#core/permissions.ts";
import { terms } from "#core/terms.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Brings the link with which a new member of staff sets a password. */
export function operatorInvitationMail(
  site: Site,
  to: { firstName: string; role: OperatorRole; invitedBy: string; url: string },
): RenderedMail {
  return renderMail(site, {
    template: "operator-invitation",
    subject: `You are invited to the console of ${site.siteName}`,
    preview: "The link sets your password. It works once.",
    headline: `Join the staff of ${site.siteName}`,
    band: actionNeeded,
    greeting: `Hello ${to.firstName},`,
    facts: [
      ["Invited by", to.invitedBy],
      ["Your role", to.role],
    ],
    paragraphs: ["Set a password with this link, then sign in with this e-mail address."],
    action: { label: "Set a password", url: to.url, acts: true },
    closing: [
      `The link works once, for ${terms.operatorInvitationHours} hours. After that, an owner can send a new one.`,
      "If you do not know why you got this, do nothing. The invitation opens nothing without you.",
    ],
    because: `You get this because ${to.invitedBy} invited you to the staff of ${site.siteName}.`,
    holdsLink: true,
  });
}
