import { amountInWords, formatUsd } from "#core/money.ts";
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
  switch (notice.kind) {
    case "deposit-received":
      return received(notice);
    case "deposit-approved":
      return approved(notice);
    case "deposit-rejected":
      return rejected(notice);
    case "deposit-credited":
      return credited(notice);
    case "deposit-reversed":
    case "deposit-orphaned":
      return takenBack(notice);
  }
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
  const quantity = amountInWords(notice.units, notice.asset);
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

function credited(notice: Extract<DepositNotice, { kind: "deposit-credited" }>): Words {
  const quantity = amountInWords(notice.units, notice.asset);
  const worth = notice.usdCents === null ? "Not valued yet" : formatUsd(notice.usdCents);
  return {
    subject: `Your payment is credited: ${quantity}`,
    preview: `${quantity} stands in your account.`,
    paragraphs: [
      "A payment to your own address has its confirmations. The quantity below stands in your account now; no slip is needed for it.",
    ],
    facts: [
      ["Credited", quantity],
      ["Worth then", worth],
      ["Transaction", notice.txid],
    ],
  };
}

type TakenBack = Extract<DepositNotice, { kind: "deposit-reversed" | "deposit-orphaned" }>;

/** About money that goes: nobody can mute it. */
function takenBack({ kind, asset, units, txid, because, reason }: TakenBack): Words {
  const quantity = amountInWords(units, asset);
  const isDone = kind === "deposit-reversed";
  const why = because ? causes[because] : leftTheChain;
  return {
    subject: isDone
      ? `A credit was taken back: ${quantity}`
      : `A credit has to be taken back: ${quantity}`,
    preview: why.preview,
    paragraphs: [why.cause, ...(reason ? [reason] : []), isDone ? why.done : why.due],
    facts: [
      [isDone ? "Taken back" : "To be taken back", quantity],
      ["Transaction", txid],
    ],
  };
}

const leftTheChain = {
  preview: "The block with its payment is no longer in the chain.",
  cause:
    "The network has replaced the block that held your payment by another one, without it. So the coins did not arrive after all, or not yet.",
  done: "The credit was taken back by a second transfer, which stands in your list of transactions. When the payment is confirmed again, it is credited again.",
  due: "The credit has to be taken back, but part of it has been used. What was left is put aside. When the payment is confirmed again, it is yours again; otherwise please answer this mail or write to us.",
};

const notYours = {
  preview: "The payment was not meant for you.",
  cause:
    "We credited a payment to you that was our own: it came from one of our pools or from our own wallet. Two members of our staff checked this.",
  done: "We took the credit back by a second transfer, which you see in your list of transactions. If you sent this payment yourself, please answer this e-mail.",
  due: "We have to take the credit back, but part of it has been used. We put aside what was left, and will take the rest from what arrives in your account. Your balance never falls below zero. If you sent this payment yourself, or have questions, please answer this e-mail.",
};

const mistake = {
  preview: "Our staff approved a deposit by mistake.",
  cause:
    "We approved a deposit of yours by mistake, and two members of our staff checked this. The reason:",
  done: "We took the credit back by a second transfer, which you see in your list of transactions. If you made this payment, declare the deposit again: we compare it anew. If you disagree, please answer this e-mail.",
  due: "We have to take the credit back, but part of it has been used. We put aside what was left, and will take the rest from what arrives in your account. Your balance never falls below zero. If you disagree, or have questions, please answer this e-mail.",
};

const causes = { "left-the-chain": leftTheChain, "not-yours": notYours, mistake };

function claimed(notice: { usdCents: bigint; method: string }): Array<[string, string]> {
  return [
    ["Amount", formatUsd(notice.usdCents)],
    ["Method", notice.method],
  ];
}
