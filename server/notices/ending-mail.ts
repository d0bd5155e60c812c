import { terms } from "#core/terms.ts";
import { formatDay } from "#core/utc-day.ts";
import { renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { EndingNotice } from "./notice.ts";

/** Writes the mail that reminds a customer of a contract that ends soon: the same order again, or nothing to do. */
export function endingMail(site: Site, firstName: string, notice: EndingNotice): RenderedMail {
  const { plan, slug, quantity, coin } = notice;
  const lastDay = `${formatDay(notice.lastDay)} (UTC)`;
  return renderMail(site, {
    template: notice.kind,
    headline: `${quantity} × ${plan} ends on ${formatDay(notice.lastDay)}`,
    greeting: `Hello ${firstName},`,
    subject: `${quantity} × ${plan} ends on ${formatDay(notice.lastDay)}`,
    preview: "You can order the same again, or let it end.",
    paragraphs: [
      `Your contract ${quantity} × ${plan} ends on ${lastDay}, later if there is downtime. What it mined stays in your balance.`,
      "The link below fills in the same order. You see the price and the expected result before you pay.",
      `If you do nothing, the contract ends. A Bitcoin balance without an active contract pays an inactivity fee after ${terms.inactivityAfterDays} days; we tell you at least ${terms.inactivityNoticeDays} days before.`,
    ],
    facts: [["Last day", lastDay]],
    action: {
      label: "Order again",
      url: `${site.appUrl}/account/mining/buy?plan=${slug}&units=${quantity}&coin=${coin}`,
    },
    because: "You get this because you have a contract.",
    canMute: true,
  });
}
