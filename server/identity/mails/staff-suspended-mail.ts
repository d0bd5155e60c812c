import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells an owner that a command on the server suspended somebody of the staff: nobody confirmed it. */
export function staffSuspendedMail(
  site: Site,
  to: { firstName: string; name: string; email: string; role: string; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "staff-suspended",
    subject: `${to.name} was suspended from the staff of ${site.siteName}`,
    preview: "By a command on the server, without a second owner.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `A command on the server suspended ${to.name} (${to.email}, ${to.role}). No second owner was asked: it is the way for who holds the machine. All owners get this mail, and the audit log keeps the command.`,
      `Why: ${to.reason}`,
    ],
    action: { label: "See the staff", url: `${site.appUrl}/operator/staff` },
    closing: ["If nobody of you ran it, somebody else holds the machine: find out who, first."],
  });
}
