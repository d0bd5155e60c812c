import { momentInWords } from "#core/text/date-in-words.ts";
import { paragraphsOf } from "#core/text/plain-text.ts";
import { actionNeeded, done, renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";

/** Tells a sender that a message arrived. Nothing that was typed is repeated: the address may be someone else's. */
export function acknowledgementMail(
  site: Site,
  message: { reference: string; createdAt: Date },
): RenderedMail {
  const { reference, createdAt } = message;
  return renderMail(site, {
    template: "contact-acknowledgement",
    subject: `We received your message (${reference})`,
    preview: "A person reads it and answers to this address.",
    headline: "We received your message",
    band: done,
    greeting: "Hello,",
    facts: [
      ["Reference", reference],
      ["Received", momentInWords(createdAt)],
    ],
    paragraphs: ["A person reads every message. The answer comes to this address."],
    closing: [
      "We never ask for your password, and never for a payment before you can withdraw.",
      "If you did not write to us, someone entered your address by mistake. You do not have to do anything.",
    ],
    because: "You get this because someone wrote to us with this address.",
  });
}

/** Tells a customer that staff answered, without the words: they are read signed in. */
export function answeredMail(
  site: Site,
  to: { firstName: string; threadId: string; reference: string; subject: string },
): RenderedMail {
  return renderMail(site, {
    template: "contact-answered",
    subject: `We answered your message (${to.reference})`,
    preview: to.subject,
    headline: "We answered your message",
    greeting: `Hello ${to.firstName},`,
    facts: [
      ["Subject", to.subject],
      ["Reference", to.reference],
    ],
    paragraphs: ["Sign in to read our answer and to write back."],
    action: { label: "Read the answer", url: `${site.appUrl}/account/messages/${to.threadId}` },
    closing: ["We never ask for your password, and never for a payment before you can withdraw."],
    because: "You get this because you wrote to us from your account.",
  });
}

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
