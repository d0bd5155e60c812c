import { confirmationHours } from "#core/newsletter.ts";
import { actionNeeded, renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";

/** Tells a subscriber who asked again that there is nothing to confirm. The page must not say so: anyone can type an address. */
export function alreadySubscribedMail(site: Site, leavingUrl: string): RenderedMail {
  return renderMail(site, {
    template: "newsletter-already",
    subject: `You get the ${site.siteName} newsletter already`,
    preview: "There is nothing to do.",
    headline: "You already get our newsletter",
    greeting: "Hello,",
    paragraphs: [
      `Someone entered this address for the ${site.siteName} newsletter. It is subscribed already, so there is nothing to do.`,
    ],
    because: "If you do not want the newsletter any more:",
    leaving: { label: "Unsubscribe", url: leavingUrl },
    holdsLink: true,
  });
}

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
