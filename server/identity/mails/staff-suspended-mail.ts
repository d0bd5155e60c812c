import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells an owner that a command on the server suspended a member of staff, without a second owner's confirmation. */
export function staffSuspendedMail(
  site: Site,
  to: { firstName: string; name: string; email: string; role: string; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "staff-suspended",
    subject: `${to.name} was suspended from the staff of ${site.siteName}`,
    preview: "By a command on the server, without a second owner.",
    headline: `${to.name} was suspended`,
    band: { tone: "action", word: "Please check" },
    greeting: `Hello ${to.firstName},`,
    facts: [
      ["Name", to.name],
      ["E-mail", to.email],
      ["Role", to.role],
    ],
    quotes: [["Reason", to.reason]],
    paragraphs: [
      "A command on the server did this, so no second owner was asked. Every owner gets this mail, and the audit log keeps the command.",
    ],
    action: { label: "See the staff", url: `${site.appUrl}/operator/staff` },
    closing: [
      "If none of you ran the command, someone else has access to the server. Find out who before anything else.",
    ],
    because: `You get this because you are an owner of ${site.siteName}.`,
  });
}
