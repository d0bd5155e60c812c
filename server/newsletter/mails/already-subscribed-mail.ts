import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

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
