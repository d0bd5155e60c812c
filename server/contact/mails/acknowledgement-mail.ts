import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells a sender that a message arrived. Nothing that was typed is repeated: the address may be somebody else's. */
export function acknowledgementMail(
  site: Site,
  message: { reference: string; createdAt: Date },
): RenderedMail {
  const { reference, createdAt } = message;
  return renderMail(site, {
    template: "contact-acknowledgement",
    subject: `We received your message (${reference})`,
    preview: "A person reads it and answers to this address.",
    greeting: "Hello,",
    paragraphs: [
      "Your message has arrived. A person reads it, and the answer comes to this address.",
    ],
    facts: [
      ["Reference", reference],
      ["Received", `${createdAt.toISOString().slice(0, 16).replace("T", " ")} UTC`],
    ],
    closing: [
      "We never ask for your password, and never for a payment before you may withdraw.",
      "If you did not write to us, somebody gave your address by mistake. You need not do anything.",
    ],
  });
}
