import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { because } from "./decision-mails.ts";

/** Tells a customer that their verification waits for our staff. */
export function receivedMail(site: Site, firstName: string): RenderedMail {
  return renderMail(site, {
    template: "kyc-received",
    subject: "We received your verification",
    preview: "Our staff will check it. We tell you when it is decided.",
    headline: "We received your verification",
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "Your details and documents have arrived. A member of our staff compares them next, and we e-mail you the result. The page below shows how long that took for others.",
      "Your documents are encrypted. Only verification staff can open them, and every view is logged.",
    ],
    action: { label: "See your verification", url: `${site.appUrl}/account/verification` },
    closing: ["If this was not you, change your password and write to us."],
    because,
  });
}
