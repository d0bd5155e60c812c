import type { GiftKind } from "#core/adjustments.ts";
import { amountInWords } from "#core/money.ts";
import { renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { AdjustmentNotice } from "./notice.ts";

const names: Record<GiftKind, string> = { goodwill: "goodwill", subsidy: "a subsidy" };

/** Writes the mail that tells a customer what the operator gave him of his own money, or took back. */
export function adjustmentMail(
  site: Site,
  firstName: string,
  notice: AdjustmentNotice,
): RenderedMail {
  const quantity = amountInWords(notice.units, notice.asset);
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    action: {
      label: "See the entry",
      url: `${site.appUrl}/account/evidence/${notice.transferId}`,
    },
    ...words(notice, quantity),
    facts: [["Amount", quantity]],
  });
}

function words(notice: AdjustmentNotice, quantity: string) {
  if (notice.kind === "adjustment-reversed") {
    return {
      subject: `${quantity} that we had credited was taken back`,
      preview: notice.reason,
      paragraphs: [
        "We had credited the amount below from the operator's own money. It was taken back by a second entry; both stand in your transactions. The reason:",
        notice.reason,
      ],
      closing: ["If you think that this is wrong, write to us: there is a form on the site."],
    };
  }
  return {
    subject: `${quantity} credited: ${names[notice.gift]} from the operator`,
    preview: notice.reason,
    paragraphs: [
      `The amount below was credited to your account. It is ${names[notice.gift]} from the operator's own money, not a mining credit. The reason:`,
      notice.reason,
    ],
  };
}
