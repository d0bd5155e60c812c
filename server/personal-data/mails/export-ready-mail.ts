import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells a customer that the copy of his data can be fetched. The link opens nothing by itself. */
export function exportReadyMail(
  site: Site,
  to: { firstName: string; expiresAt: Date },
): RenderedMail {
  return renderMail(site, {
    template: "data-export-ready",
    subject: `Your data from ${site.siteName} is ready`,
    preview: "Sign in to fetch it. It is deleted after some days.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      "The copy of everything that we keep about you is ready. You can fetch it on your profile, once you are signed in.",
    ],
    facts: [["Deleted after", inUtc(to.expiresAt)]],
    action: { label: "Go to your profile", url: `${site.appUrl}/account/profile#data` },
    closing: [
      "If you did not ask for it, somebody else is signed in to your account: sign out everywhere and set a new password.",
    ],
  });
}

/** "28 Nov 2026, 10:00 UTC". */
function inUtc(at: Date): string {
  const words = new Intl.DateTimeFormat("en-GB", {
    day: "2-digit",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
  });
  return `${words.format(at)} UTC`;
}
