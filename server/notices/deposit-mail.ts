import { amountInWords, formatUsd } from "#core/money.ts";
import { done, type Letter, renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { DepositNotice } from "./notice.ts";

/** Writes the mail that tells a customer what became of a deposit. */
export function depositMail(site: Site, firstName: string, notice: DepositNotice): RenderedMail {
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    action: { label: "See the deposit", url: `${site.appUrl}/account/deposit/${notice.depositId}` },
    also: {
      label: "Write to us about this deposit",
      url: `${site.appUrl}/account/messages/new?about=deposit:${notice.depositId}`,
    },
    because: "You get this because you made a deposit.",
    ...write(notice),
  });
}

type Words = Pick<
  Letter,
  "subject" | "preview" | "headline" | "band" | "figure" | "facts" | "quotes" | "paragraphs"
> &
  Pick<Letter, "action" | "canMute">;

function write(notice: DepositNotice): Words {
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
      return reversed(notice);
  }
}

type Of<Kind extends DepositNotice["kind"]> = Extract<DepositNotice, { kind: Kind }>;

function received(notice: Of<"deposit-received">): Words {
  const usd = formatUsd(notice.usdCents);
  return {
    subject: `We received your payment slip for ${usd}`,
    preview: "Our staff will compare it with the payment and e-mail you the result.",
    headline: "We received your payment slip",
    figure: ["Amount", usd],
    facts: [["Method", notice.method]],
    paragraphs: [
      "A member of our staff compares the slip with the payment that arrived, then credits your account. We e-mail you the result either way.",
    ],
    canMute: true,
  };
}

function approved(notice: Of<"deposit-approved">): Words {
  const quantity = amountInWords(notice.units, notice.asset);
  return {
    subject: `Your deposit is approved: ${quantity}`,
    preview: `${quantity} is now in your account.`,
    headline: "Your deposit is approved",
    band: done,
    figure: ["Credited", quantity],
    facts: claimed(notice),
    paragraphs: ["We compared your slip with the payment that arrived, and approved the deposit."],
    canMute: true,
  };
}

function rejected(notice: Of<"deposit-rejected">): Words {
  return {
    subject: `Your deposit of ${formatUsd(notice.usdCents)} was rejected`,
    preview: notice.reason,
    headline: "We could not approve your deposit",
    band: { tone: "loss", word: "Not credited" },
    facts: claimed(notice),
    quotes: [["Reason", notice.reason]],
    paragraphs: [
      "Nothing was credited for this slip. If you have paid, submit it again with what the reason asks for.",
    ],
    canMute: true,
  };
}

function credited(notice: Of<"deposit-credited">): Words {
  const quantity = amountInWords(notice.units, notice.asset);
  const worth = notice.usdCents === null ? "Not valued yet" : formatUsd(notice.usdCents);
  return {
    subject: `Your payment is credited: ${quantity}`,
    preview: `${quantity} is now in your account.`,
    headline: "Your payment is credited",
    band: done,
    figure: ["Credited", quantity],
    facts: [
      ["Worth then", worth],
      ["Transaction", notice.txid],
    ],
    paragraphs: ["A payment to your own address has its confirmations. You do not need a slip."],
    canMute: true,
  };
}

/** About coins that go: it cannot be muted. */
function reversed(notice: Of<"deposit-reversed" | "deposit-orphaned">): Words {
  const { kind, asset, units, txid, because, reason } = notice;
  const quantity = amountInWords(units, asset);
  const isDone = kind === "deposit-reversed";
  const why = because ? causes[because] : leftTheChain;
  return {
    subject: isDone
      ? `A credit was reversed: ${quantity}`
      : `A credit must be reversed: ${quantity}`,
    preview: why.preview,
    headline: isDone ? "We reversed a credit" : "We have to reverse a credit",
    band: { tone: "loss", word: isDone ? "Reversed" : "To be reversed" },
    figure: [isDone ? "Reversed" : "To be reversed", quantity],
    facts: [["Transaction", txid]],
    quotes: reason ? [["Reason", reason]] : [],
    paragraphs: [why.cause, isDone ? why.done : why.due],
  };
}

const leftTheChain = {
  preview: "The block with its payment is no longer in the chain.",
  cause:
    "The network replaced the block that held your payment with one that does not. So the coins did not arrive after all, or not yet.",
  done: "We reversed the credit with a second transfer, which you see in your transactions. Once the payment confirms again, we credit it again.",
  due: "We have to reverse the credit, but you have used part of it. We put aside what was left. Once the payment confirms again, it is yours again. If it does not, please write to us.",
};

const partUsed =
  "We have to reverse the credit, but you have used part of it. We put aside what was left, and take the rest from what arrives in your account. Your balance never falls below zero.";

const notYours = {
  preview: "The payment was not meant for you.",
  cause:
    "We credited a payment to you that was our own: it came from one of our pools or from our own wallet. Two members of our staff checked this.",
  done: "We reversed the credit with a second transfer, which you see in your transactions. If you sent this payment yourself, please write to us.",
  due: `${partUsed} If you sent this payment yourself, or have questions, please write to us.`,
};

const mistake = {
  preview: "Our staff approved a deposit by mistake.",
  cause: "We approved one of your deposits by mistake. Two members of our staff checked this.",
  done: "We reversed the credit with a second transfer, which you see in your transactions. If you made this payment, submit the deposit again and we compare it anew. If you disagree, please write to us.",
  due: `${partUsed} If you disagree, or have questions, please write to us.`,
};

const causes = { "left-the-chain": leftTheChain, "not-yours": notYours, mistake };

function claimed(notice: { usdCents: bigint; method: string }): Array<[string, string]> {
  return [
    ["Amount", formatUsd(notice.usdCents)],
    ["Method", notice.method],
  ];
}
