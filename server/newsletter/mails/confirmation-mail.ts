import { confirmationHours } from "#core/newsletter.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Asks the owner of an inbox whether they asked for the newsletter. Nothing that was typed is repeated. */
export function confirmationMail(site: Site, url: string): RenderedMail {
  return renderMail(site, {
    template: "newsletter-confirmation",
    subject: `Confirm that you want the ${site.siteName} newsletter`,
    preview: "Without your confirmation we send nothing more.",
    headline: "Confirm the newsletter",
    band: actionNeeded,
    greeting: "Hello,",
    paragraphs: [
      `Someone entered this address for the ${site.siteName} newsletter. If it was you, please confirm.`,
    ],
    action: { label: "Confirm the newsletter", url, acts: true },
    closing: [
      `The link works for ${confirmationHours} hours.`,
      "If it was not you, do nothing. You get no newsletter, and we delete the address.",
    ],
    because: "You get this because someone entered this address on our site.",
    holdsLink: true,
  });
}
