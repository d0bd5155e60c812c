import { terms } from "#core/terms.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Asks a customer to show that the mailbox is his. */
export function verificationMail(site: Site, to: { firstName: string; url: string }): RenderedMail {
  return renderMail(site, {
    template: "verification",
    subject: `Verify your e-mail address for ${site.siteName}`,
    preview: "One click shows that this mailbox is yours.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `An account with this e-mail address was registered at ${site.siteName}. Please verify that the address is yours.`,
    ],
    action: { label: "Verify e-mail address", url: to.url },
    closing: [
      `The link works once, for ${terms.verificationLinkHours} hours. A new one can be asked for on the page behind it.`,
      "If you did not register, do nothing: without you the address stays unverified.",
    ],
    holdsLink: true,
  });
}
