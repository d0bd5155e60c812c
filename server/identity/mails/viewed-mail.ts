import { momentInWords } from "#core/text/date-in-words.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { aboutSecurity } from "./about-security.ts";

/** Says that staff look at the account as its customer sees it, why, and until when. */
export function viewedMail(
  site: Site,
  { firstName, reason, from, to }: { firstName: string; reason: string; from: Date; to: Date },
): RenderedMail {
  return renderMail(site, {
    template: "account-viewed",
    subject: `Our staff look at your ${site.siteName} account`,
    preview: reason,
    headline: "A member of our staff opened your account to read it",
    greeting: `Hello ${firstName},`,
    facts: [
      ["From", momentInWords(from)],
      ["Until at most", momentInWords(to)],
    ],
    quotes: [["Reason", reason]],
    paragraphs: [
      "They see the pages of your account as you do. They cannot change, order or pay out anything, and they do not see your phrase, your recovery codes or the files you sent.",
    ],
    action: {
      label: "See your account's history",
      url: `${site.appUrl}/account/security/history`,
    },
    also: { label: "I did not ask for help: write to us", url: `${site.appUrl}/contact` },
    because: aboutSecurity,
  });
}
