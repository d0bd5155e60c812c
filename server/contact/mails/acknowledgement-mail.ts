import { momentInWords } from "#core/text/date-in-words.ts";
import { done, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

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
