import { partNames, type VerificationPart } from "#core/verification.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells a customer that he is verified, until when, and when the documents are deleted. */
export function approvedMail(
  site: Site,
  firstName: string,
  { validUntil, documentDays }: { validUntil: Date; documentDays: number },
): RenderedMail {
  return renderMail(site, {
    template: "verification-approved",
    subject: "You are verified",
    preview: "Your details and documents were checked and approved.",
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "Your details and documents were checked and approved.",
      `The documents are deleted ${documentDays} days from now. What stays is what you told us, who decided and when.`,
    ],
    facts: [["Holds until", day(validUntil)]],
    action: page(site),
  });
}

/** Tells a customer what was declined and why, and that only this is asked for again. */
export function declinedMail(
  site: Site,
  firstName: string,
  declined: Array<{ part: VerificationPart; reason: string }>,
): RenderedMail {
  return renderMail(site, {
    template: "verification-declined",
    subject: "Your verification needs something from you",
    preview: declined.map(({ part }) => partNames[part]).join(", "),
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "Your verification could not be approved yet. What is to be done again, and why:",
      ...declined.map(({ part, reason }) => `${partNames[part]}: ${reason}`),
    ],
    action: page(site),
    closing: [
      "Only this is asked for again; the rest is kept. Nothing has to be paid for a verification, ever.",
    ],
  });
}

/** Tells a customer that his verification holds no longer. */
export function expiredMail(site: Site, firstName: string): RenderedMail {
  return renderMail(site, {
    template: "verification-expired",
    subject: "Your verification has expired",
    preview: "The document that it rested on is no longer valid.",
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "The document that your verification rested on is no longer valid, or its time is over. The limits of an account that is not verified apply until you verify it again. What is yours stays yours.",
    ],
    action: page(site),
  });
}

function page(site: Site) {
  return { label: "Go to your verification", url: `${site.appUrl}/account/verification` };
}

/** "21 November 2026" */
function day(at: Date): string {
  return at.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}
