import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Brings operators what someone wrote, with the way to the page where it is answered. */
export function newMessageMail(
  site: Site,
  message: {
    threadId: string;
    reference: string;
    senderName: string;
    senderEmail: string;
    subject: string;
    body: string;
    /** Whether the sender is a customer who was signed in. */
    isCustomer: boolean;
    files: number;
  },
): RenderedMail {
  const { isCustomer, files } = message;
  return renderMail(site, {
    template: "contact-message",
    subject: `Message ${message.reference}: ${message.subject}`,
    preview: isCustomer
      ? "A customer is waiting for an answer."
      : "Someone is waiting for an answer.",
    headline: isCustomer ? "A customer wrote to us" : "Someone wrote to us on the contact page",
    band: actionNeeded,
    greeting: "Hello,",
    facts: [
      ["From", message.senderName],
      ["E-mail", message.senderEmail],
      ["Subject", message.subject],
      ...(files > 0 ? [["Files", String(files)] as [string, string]] : []),
    ],
    quotes: [["Message", message.body]],
    paragraphs: [],
    action: {
      label: "Answer in the console",
      url: `${site.appUrl}/operator/messages/${message.threadId}`,
    },
    closing: [
      "Please answer in the console, so that your colleagues see it. We do not read answers to this e-mail.",
      ...(isCustomer ? [] : ["Nothing above is proven: neither the name nor the address."]),
    ],
    because: `You get this because you are on the staff of ${site.siteName}.`,
    // What someone wrote is not kept a second time once a mail server has it.
    holdsLink: true,
  });
}
