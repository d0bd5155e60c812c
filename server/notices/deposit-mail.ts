import { formatAmount, formatUsd } from "#core/money.ts";
import { type Letter, renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { DepositNotice } from "./notice.ts";

/** Writes the mail that tells a customer what became of a deposit. */
export function depositMail(site: Site, firstName: string, notice: DepositNotice): RenderedMail {
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    action: { label: "See the deposit", url: `${site.appUrl}/account/deposit/${notice.depositId}` },
    ...words(notice),
  });
}

type Words = Pick<Letter, "subject" | "preview" | "paragraphs" | "facts" | "closing">;

function words(notice: DepositNotice): Words {
  if (notice.kind === "deposit-received") return received(notice);
  return notice.kind === "deposit-approved" ? approved(notice) : rejected(notice);
}

function received(notice: Extract<DepositNotice, { kind: "deposit-received" }>): Words {
  const usd = formatUsd(notice.usdCents);
  return {
    subject: `We received your payment slip for ${usd}`,
    preview: "It waits for review. You will hear from us when it is done.",
    paragraphs: [
      "Your payment slip has arrived. Next, a member of our staff compares it with what was paid in. Coins are credited only after that, and you get a mail either way.",
    ],
    facts: claimed(notice),
  };
}

function approved(notice: Extract<DepositNotice, { kind: "deposit-approved" }>): Words {
  const quantity = `${formatAmount(notice.units, notice.asset)} ${notice.asset}`;
  return {
    subject: `Your deposit is approved: ${quantity}`,
    preview: `${quantity} stands in your account.`,
    paragraphs: [
      "Your deposit was compared with the payment that arrived, and approved. The quantity below stands in your account now.",
    ],
    facts: [["Credited", quantity], ...claimed(notice)],
  };
}

function rejected(notice: Extract<DepositNotice, { kind: "deposit-rejected" }>): Words {
  return {
    subject: `Your deposit of ${formatUsd(notice.usdCents)} was rejected`,
    preview: notice.reason,
    paragraphs: [
      "Your deposit was reviewed and could not be approved. Nothing was credited for it. The reason:",
      notice.reason,
    ],
    facts: claimed(notice),
    closing: ["If you have paid, submit the slip again with what the reason asks for."],
  };
}

function claimed(notice: DepositNotice): Array<[string, string]> {
  return [
    ["Amount", formatUsd(notice.usdCents)],
    ["Method", notice.method],
  ];
}
