import { paragraphsOf } from "#core/plain-text.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Brings operators what a visitor wrote, with the way to the page where it is answered. */
export function newMessageMail(
  site: Site,
  message: {
    threadId: string;
    reference: string;
    senderName: string;
    senderEmail: string;
    subject: string;
    body: string;
  },
): RenderedMail {
  return renderMail(site, {
    template: "contact-message",
    subject: `Message ${message.reference}: ${message.subject}`,
    preview: "Somebody waits for an answer.",
    greeting: "Somebody wrote by the contact page:",
    paragraphs: paragraphsOf(message.body),
    facts: [
      ["From", message.senderName],
      ["E-mail", message.senderEmail],
      ["Subject", message.subject],
    ],
    action: {
      label: "Answer in the console",
      url: `${site.appUrl}/operator/messages/${message.threadId}`,
    },
    closing: [
      "Please answer there, so that your colleagues see it. An answer to this mail reaches nobody. Nothing above is proven: not the name, nor the address.",
    ],
    // What somebody wrote is not kept a second time once a mail server has it.
    holdsLink: true,
  });
}
