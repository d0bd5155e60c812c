import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells a customer that his verification waits for our staff. */
export function receivedMail(site: Site, firstName: string): RenderedMail {
  return renderMail(site, {
    template: "verification-received",
    subject: "We received your verification",
    preview: "It waits for our staff. You will hear from us when it is decided.",
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "Your details and documents have arrived. Next, a member of our staff compares them. You get a mail either way, and the page below says how long that took for others.",
      "Your documents are encrypted. Only the staff who verify can open them, and each time is written down.",
    ],
    action: { label: "See where it stands", url: `${site.appUrl}/account/verification` },
    closing: ["If this was not you, change your password and write to us."],
  });
}
