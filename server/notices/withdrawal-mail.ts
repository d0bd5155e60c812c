import { amountInWords } from "#core/money.ts";
import { momentInWords } from "#core/text/date-in-words.ts";
import { done, type Letter, renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { WithdrawalNotice } from "./notice.ts";

/** Writes the mail that tells a customer how far a withdrawal is. */
export function withdrawalMail(
  site: Site,
  firstName: string,
  notice: WithdrawalNotice,
): RenderedMail {
  const { withdrawalId } = notice;
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    action: {
      label: "See the withdrawal",
      url: `${site.appUrl}/account/withdraw/${withdrawalId}`,
    },
    also: {
      label: "Write to us about this withdrawal",
      url: `${site.appUrl}/account/messages/new?about=withdrawal:${withdrawalId}`,
    },
    because: "You get this because you asked for a withdrawal.",
    ...write(notice),
  });
}

type Words = Pick<
  Letter,
  "subject" | "preview" | "headline" | "band" | "figure" | "facts" | "quotes" | "paragraphs"
>;
type Of<Kind extends WithdrawalNotice["kind"]> = Extract<WithdrawalNotice, { kind: Kind }>;

function write(notice: WithdrawalNotice): Words {
  switch (notice.kind) {
    case "withdrawal-sent":
    case "withdrawal-settled":
      return sent(notice);
    case "withdrawal-rejected":
    case "withdrawal-returned":
      return cameBack(notice);
    case "withdrawal-expired":
      return expired(notice);
    case "withdrawal-held":
      return held(notice);
  }
}

function sent(notice: Of<"withdrawal-sent" | "withdrawal-settled">): Words {
  const amount = amountOf(notice);
  const facts: Words["facts"] = [
    ["Address", notice.address],
    ["Transaction", notice.txid],
  ];
  if (notice.kind === "withdrawal-settled") {
    return {
      subject: `${amount} has arrived at your address`,
      preview: "The payment is confirmed on chain.",
      headline: "Your withdrawal has arrived",
      band: done,
      figure: ["Arrived", amount],
      facts,
      paragraphs: ["The network has confirmed your withdrawal. There is nothing left to do."],
    };
  }
  return {
    subject: `${amount} is on its way to you`,
    preview: "We sent the payment. It is final once the network has confirmed it.",
    headline: "Your withdrawal is on its way",
    figure: ["You will receive", amount],
    facts,
    paragraphs: [
      "We sent your withdrawal to the network. Until it is confirmed, we may replace its transaction with one that pays a higher network fee. We pay that fee, and the withdrawal's page always shows the current transaction.",
    ],
  };
}

function cameBack(notice: Of<"withdrawal-rejected" | "withdrawal-returned">): Words {
  const amount = amountOf(notice);
  const isRejected = notice.kind === "withdrawal-rejected";
  return {
    subject: isRejected
      ? `Your withdrawal of ${amount} was rejected`
      : `Your withdrawal of ${amount} came back`,
    preview: notice.reason,
    headline: isRejected ? "We rejected your withdrawal" : "Your withdrawal could not be sent",
    band: { tone: "loss", word: isRejected ? "Rejected" : "Not sent" },
    figure: ["Available again", amount],
    facts: [["Address", notice.address]],
    quotes: [["Reason", notice.reason]],
    paragraphs: [
      "The whole amount is available in your account again. If you think this is wrong, please write to us.",
    ],
  };
}

function expired(notice: Of<"withdrawal-expired">): Words {
  const amount = amountOf(notice);
  return {
    subject: `Your withdrawal of ${amount} was not confirmed`,
    preview: "We cancelled it. The amount is available again.",
    headline: "Your withdrawal was cancelled",
    band: { tone: "loss", word: "Cancelled" },
    figure: ["Available again", amount],
    facts: [["Address", notice.address]],
    paragraphs: [
      "You did not open the link in the e-mail that asked you to confirm it, so we cancelled the withdrawal. The whole amount is available in your account again.",
    ],
  };
}

function held(notice: Of<"withdrawal-held">): Words {
  const until = momentInWords(notice.endsAt);
  return {
    subject: `Your withdrawal of ${amountOf(notice)} is held until ${until}`,
    preview: notice.reason,
    headline: "Your withdrawal is on hold",
    band: { tone: "action", word: "On hold" },
    figure: ["Amount", amountOf(notice)],
    facts: [
      ["Address", notice.address],
      ["Held until", until],
    ],
    quotes: [["Reason", notice.reason]],
    paragraphs: [
      "A member of our staff holds your withdrawal. The hold ends automatically at that time. Until then you can cancel the withdrawal.",
    ],
  };
}

function amountOf({ units, asset = "BTC" }: WithdrawalNotice): string {
  return amountInWords(units, asset);
}
