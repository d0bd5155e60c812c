import { amountInWords } from "#core/money.ts";
import { type Letter, renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import type { WithdrawalNotice } from "./notice.ts";

/** Writes the mail that tells a customer where a withdrawal stands. */
export function withdrawalMail(
  site: Site,
  firstName: string,
  notice: WithdrawalNotice,
): RenderedMail {
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    action: {
      label: "See the withdrawal",
      url: `${site.appUrl}/account/withdraw/${notice.withdrawalId}`,
    },
    ...words(notice),
  });
}

type Words = Pick<Letter, "subject" | "preview" | "paragraphs" | "facts" | "closing">;
type Of<Kind extends WithdrawalNotice["kind"]> = Extract<WithdrawalNotice, { kind: Kind }>;

function words(notice: WithdrawalNotice): Words {
  switch (notice.kind) {
    case "withdrawal-sent":
    case "withdrawal-settled":
      return left(notice);
    case "withdrawal-rejected":
    case "withdrawal-returned":
      return cameBack(notice);
    case "withdrawal-expired":
      return expired(notice);
    case "withdrawal-held":
      return held(notice);
  }
}

function left(notice: Of<"withdrawal-sent" | "withdrawal-settled">): Words {
  const amount = amountOf(notice);
  const facts: Words["facts"] = [
    ["Arrives", amount],
    ["Address", notice.address],
    ["Transaction", notice.txid],
  ];
  if (notice.kind === "withdrawal-settled") {
    return {
      subject: `${amount} has arrived at your address`,
      preview: "The payment is confirmed on chain.",
      paragraphs: ["Your withdrawal is confirmed on chain. Nothing is left to do."],
      facts,
    };
  }
  return {
    subject: `${amount} is on its way to you`,
    preview: "The payment was sent. It is final once the chain has confirmed it.",
    paragraphs: [
      "Your withdrawal was sent to the network. Until it is confirmed its transaction may be replaced by one with a higher fee, which we pay; the page of the withdrawal has the one in force.",
    ],
    facts,
  };
}

function cameBack(notice: Of<"withdrawal-rejected" | "withdrawal-returned">): Words {
  const amount = amountOf(notice);
  const rejected = notice.kind === "withdrawal-rejected";
  return {
    subject: rejected
      ? `Your withdrawal of ${amount} was rejected`
      : `Your withdrawal of ${amount} came back`,
    preview: notice.reason,
    paragraphs: [
      rejected
        ? "Your withdrawal was reviewed and rejected. The whole amount is available in your account again. The reason:"
        : "Your withdrawal could not leave. The whole amount is available in your account again. The reason:",
      notice.reason,
    ],
    facts: asked(notice),
    closing: ["If you think that this is wrong, write to us: there is a form on the site."],
  };
}

function expired(notice: Of<"withdrawal-expired">): Words {
  return {
    subject: `Your withdrawal of ${amountOf(notice)} was not confirmed`,
    preview: "It is cancelled, and the amount is available again.",
    paragraphs: [
      "Nobody followed the link in the mail that asked to confirm your withdrawal, so it was cancelled by itself. The whole amount is available in your account again.",
    ],
    facts: asked(notice),
  };
}

function held(notice: Of<"withdrawal-held">): Words {
  const until = `${notice.endsAt.slice(0, 10)} ${notice.endsAt.slice(11, 16)} UTC`;
  return {
    subject: `Your withdrawal of ${amountOf(notice)} is held until ${until}`,
    preview: notice.reason,
    paragraphs: [
      `A member of our staff holds your withdrawal. The hold ends by itself on ${until}; until then you can cancel the withdrawal. The reason:`,
      notice.reason,
    ],
    facts: [...asked(notice), ["Held until", until]],
  };
}

function asked(notice: WithdrawalNotice): [string, string][] {
  return [
    ["Amount", amountOf(notice)],
    ["Address", notice.address],
  ];
}

function amountOf({ units, asset = "BTC" }: WithdrawalNotice): string {
  return amountInWords(units, asset);
}
