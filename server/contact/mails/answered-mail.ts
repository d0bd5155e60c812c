import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells a customer that staff answered, without the words: they are read signed in. */
export function answeredMail(
  site: Site,
  to: { firstName: string; threadId: string; reference: string; subject: string },
): RenderedMail {
  return renderMail(site, {
    template: "contact-answered",
    subject: `We answered your message (${to.reference})`,
    preview: to.subject,
    headline: "We answered your message",
    greeting: `Hello ${to.firstName},`,
    facts: [
      ["Subject", to.subject],
      ["Reference", to.reference],
    ],
    paragraphs: ["Sign in to read our answer and to write back."],
    action: { label: "Read the answer", url: `${site.appUrl}/account/messages/${to.threadId}` },
    closing: ["We never ask for your password, and never for a payment before you can withdraw."],
    because: "You get this because you wrote to us from your account.",
  });
}
