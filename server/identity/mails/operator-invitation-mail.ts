import type { OperatorRole } from "#core/permissions.ts";
import { terms } from "#core/terms.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
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
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `${to.invitedBy} invites you to the staff of ${site.siteName}. The link below sets your password; then sign in with this e-mail address.`,
    ],
    facts: [["Your role", to.role]],
    action: { label: "Set a password", url: to.url },
    closing: [
      `The link works once, for ${terms.operatorInvitationHours} hours. After that an owner can have a new one mailed.`,
      "If you do not know why you got this, do nothing: without you nobody gets in.",
    ],
    holdsLink: true,
  });
}
