import { momentInWords } from "#core/text/date-in-words.ts";
import { done, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells a customer that the copy of their data can be downloaded. The link opens nothing without signing in. */
export function exportReadyMail(
  site: Site,
  to: { firstName: string; expiresAt: Date },
): RenderedMail {
  return renderMail(site, {
    template: "data-export-ready",
    subject: `Your data from ${site.siteName} is ready`,
    preview: "Sign in to download it. We delete it after some days.",
    headline: "Your data is ready to download",
    band: done,
    greeting: `Hello ${to.firstName},`,
    facts: [["Available until", momentInWords(to.expiresAt)]],
    paragraphs: [
      "The copy of everything that we keep about you is ready. Sign in and download it from your profile.",
    ],
    action: { label: "Download your data", url: `${site.appUrl}/account/profile/data#data` },
    closing: [
      "If you did not ask for it, someone else is signed in to your account. Sign out everywhere and set a new password.",
    ],
    because: "You get this because you asked for a copy of your data.",
  });
}
