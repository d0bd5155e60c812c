import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Says that staff look at the account as its customer sees it, why, and until when. */
export function viewedMail(
  site: Site,
  { firstName, reason, from, to }: { firstName: string; reason: string; from: Date; to: Date },
): RenderedMail {
  return renderMail(site, {
    template: "account-viewed",
    subject: `Our staff look at your ${site.siteName} account`,
    preview: reason,
    greeting: `Hello ${firstName},`,
    paragraphs: [
      "A member of our staff looks at the pages of your account as you see them. Nothing can be changed, ordered or paid out that way, and your phrase, your recovery codes and the files that you sent are not shown.",
      `Why: ${reason}`,
    ],
    facts: [
      ["From", utc(from)],
      ["Until at most", utc(to)],
    ],
    action: {
      label: "See the history of your account",
      url: `${site.appUrl}/account/security/history`,
    },
    closing: ["If you have not asked for help and the reason makes no sense to you, write to us."],
  });
}

/** "2026-03-01 12:00 UTC". */
function utc(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
