import { paragraphsOf } from "#core/text/plain-text.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Brings a visitor the answer of staff, with a way to answer back into the same thread. */
export function replyMail(
  site: Site,
  reply: {
    reference: string;
    senderName: string;
    subject: string;
    body: string;
    /** First name of who answers. */
    operatorName: string;
    answerUrl: string;
  },
): RenderedMail {
  return renderMail(site, {
    template: "contact-reply",
    subject: `Re: ${reply.subject} (${reply.reference})`,
    preview: "The answer to your message.",
    headline: reply.subject,
    greeting: `Hello ${reply.senderName},`,
    paragraphs: [...paragraphsOf(reply.body), `${reply.operatorName}, ${site.siteName}`],
    action: { label: "Answer this message", url: reply.answerUrl },
    closing: [
      `Your reference is ${reply.reference}. Please use the button to answer.`,
      "We never ask for your password, and never for a payment before you can withdraw.",
    ],
    because: "You get this because you wrote to us.",
  });
}
