import { paragraphsOf } from "#core/text/plain-text.ts";
import { formatDay } from "#core/utc-day.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** An issue as one subscriber gets it, with the link that ends the subscription and who it is from. */
export function issueMail(
  site: Site,
  issue: { subject: string; body: string; imprint: string },
  to: { leavingUrl: string; confirmedAt: Date | null },
): RenderedMail {
  const [first = "", ...rest] = paragraphsOf(issue.body);
  const because = to.confirmedAt
    ? `You get this because you confirmed on ${formatDay(to.confirmedAt.toISOString())} that you want it.`
    : "You get this as its author.";
  return renderMail(site, {
    template: "newsletter-issue",
    subject: issue.subject,
    preview: first.slice(0, 120),
    headline: issue.subject,
    greeting: first,
    paragraphs: rest,
    because,
    leaving: { label: "Unsubscribe", url: to.leavingUrl },
    imprint: issue.imprint === "" ? [] : [issue.imprint],
    // It can end the subscription: not kept once a mail server has it, and not shown to staff.
    holdsLink: true,
  });
}
