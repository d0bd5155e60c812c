import { type KycPart, partNames } from "#core/people/kyc.ts";
import { formatDay } from "#core/utc-day.ts";
import { actionNeeded, done, renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";

export const because = "You get this because you asked us to verify your identity.";

/** Tells a customer that they are verified, until when, and when the documents are deleted. */
export function approvedMail(
  site: Site,
  firstName: string,
  { validUntil, documentDays }: { validUntil: Date; documentDays: number },
): RenderedMail {
  return renderMail(site, {
    template: "kyc-approved",
    subject: "You are verified",
    preview: "We checked and approved your details and documents.",
    headline: "You are verified",
    band: done,
    greeting: `Hello ${firstName},`,
    facts: [
      ["Valid until", formatDay(validUntil.toISOString())],
      ["Documents deleted in", `${documentDays} days`],
    ],
    paragraphs: [
      "We checked and approved your details and documents. After we delete the documents we keep what you told us, who decided and when.",
    ],
    action: page(site, "See your verification"),
    because,
  });
}

/** Tells a customer what was declined and why, and that only this is asked for again. */
export function declinedMail(
  site: Site,
  firstName: string,
  declined: Array<{ part: KycPart; reason: string }>,
): RenderedMail {
  return renderMail(site, {
    template: "kyc-declined",
    subject: "Your verification needs something from you",
    preview: declined.map(({ part }) => partNames[part]).join(", "),
    headline: "We could not approve your verification yet",
    band: actionNeeded,
    greeting: `Hello ${firstName},`,
    quotes: declined.map(({ part, reason }) => [partNames[part], reason]),
    paragraphs: ["Please send this again. We keep the rest, so you do not have to repeat it."],
    action: page(site, "Send it again"),
    closing: ["A verification never costs anything."],
    because,
  });
}

/** Tells a customer that their verification has expired. */
export function expiredMail(site: Site, firstName: string): RenderedMail {
  return renderMail(site, {
    template: "kyc-expired",
    subject: "Your verification has expired",
    preview: "The document you showed us is no longer valid.",
    headline: "Your verification has expired",
    band: actionNeeded,
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "The document you showed us is no longer valid, or its time is over. Until you verify again, the limits of an account that is not verified apply. Your balances and contracts are not affected.",
    ],
    action: page(site, "Verify your identity again"),
    because: "You get this because you verified your identity with us.",
  });
}

function page(site: Site, label: string) {
  return { label, url: `${site.appUrl}/account/verification` };
}

/** Tells a customer that their verification waits for our staff. */
export function receivedMail(site: Site, firstName: string): RenderedMail {
  return renderMail(site, {
    template: "kyc-received",
    subject: "We received your verification",
    preview: "Our staff will check it. We tell you when it is decided.",
    headline: "We received your verification",
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "Your details and documents have arrived. A member of our staff compares them next, and we e-mail you the result. The page below shows how long that took for others.",
      "Your documents are encrypted. Only verification staff can open them, and every view is logged.",
    ],
    action: { label: "See your verification", url: `${site.appUrl}/account/verification` },
    closing: ["If this was not you, change your password and write to us."],
    because,
  });
}
