import { confirmationHours } from "#core/newsletter.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Asks the owner of a mailbox whether the newsletter was asked for. Nothing that was typed is repeated. */
export function confirmationMail(site: Site, url: string): RenderedMail {
  return renderMail(site, {
    template: "newsletter-confirmation",
    subject: `Confirm that you want the ${site.siteName} newsletter`,
    preview: "Without your yes nothing more is sent.",
    greeting: "Hello,",
    paragraphs: [
      `Somebody entered this address for the ${site.siteName} newsletter. If it was you, please confirm it by the button below.`,
    ],
    action: { label: "Confirm the newsletter", url },
    closing: [
      `The link works for ${confirmationHours} hours.`,
      "If it was not you, do nothing: without your confirmation you get no newsletter, and the address is deleted.",
    ],
    holdsLink: true,
  });
}
