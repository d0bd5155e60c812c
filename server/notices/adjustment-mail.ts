import { amountInWords } from "#core/money.ts";
import type { GiftKind } from "#core/payments/adjustments.ts";
import { done, type Letter, renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { AdjustmentNotice } from "./notice.ts";

const names: Record<GiftKind, string> = { goodwill: "goodwill", subsidy: "a subsidy" };

/** Writes the mail that tells a customer what the operator gave them, or reversed. */
export function adjustmentMail(
  site: Site,
  firstName: string,
  notice: AdjustmentNotice,
): RenderedMail {
  const quantity = amountInWords(notice.units, notice.asset);
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    quotes: [["Reason", notice.reason]],
    action: {
      label: "See the ledger entry",
      url: `${site.appUrl}/account/evidence/${notice.transferId}`,
    },
    because: "You get this because you have an account.",
    ...write(notice, quantity, site),
  });
}

type Words = Pick<
  Letter,
  "subject" | "preview" | "headline" | "band" | "figure" | "paragraphs" | "also" | "canMute"
>;

function write(notice: AdjustmentNotice, quantity: string, site: Site): Words {
  if (notice.kind === "adjustment-reversed") {
    return {
      subject: `A credit of ${quantity} was reversed`,
      preview: notice.reason,
      headline: "We reversed a credit",
      band: { tone: "loss", word: "Reversed" },
      figure: ["Reversed", quantity],
      paragraphs: [
        "We had credited this amount from the operator's own money. A second entry reverses it; you see both in your transactions. If you think this is wrong, please write to us.",
      ],
      also: { label: "Write to us", url: `${site.appUrl}/account/messages/new` },
    };
  }
  return {
    subject: `${quantity} credited: ${names[notice.gift]} from the operator`,
    preview: notice.reason,
    headline: "We credited your account",
    band: done,
    figure: ["Credited", quantity],
    paragraphs: [
      `This is ${names[notice.gift]} from the operator's own money. It is not a mining credit.`,
    ],
    canMute: true,
  };
}
