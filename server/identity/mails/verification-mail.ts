import { terms } from "#core/terms.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Asks a customer to confirm that the inbox is theirs. */
export function verificationMail(site: Site, to: { firstName: string; url: string }): RenderedMail {
  return renderMail(site, {
    template: "verification",
    subject: `Verify your e-mail address for ${site.siteName}`,
    preview: "One click confirms that this inbox is yours.",
    headline: "Verify your e-mail address",
    band: actionNeeded,
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `Someone opened an account at ${site.siteName} with this e-mail address. Please confirm that the address is yours.`,
    ],
    action: { label: "Verify e-mail address", url: to.url, acts: true },
    closing: [
      `The link works once, for ${terms.verificationLinkHours} hours. After that, its page offers a new one.`,
      "If you did not sign up, do nothing. The address stays unverified.",
    ],
    because: `You get this because this address was used to sign up at ${site.siteName}.`,
    holdsLink: true,
  });
}
