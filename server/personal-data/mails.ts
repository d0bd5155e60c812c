import { retention } from "#core/retention.ts";
import { momentInWords } from "#core/text/date-in-words.ts";
import { done, renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";

const because = "You get this because you asked to close your account.";

/** Tells a customer who wants to leave that we owe them something first. */
export function closingWaitsMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "closing-waits",
    subject: `Your ${site.siteName} account closes once you are paid out`,
    preview: "You still have a balance, a pending deposit or a running contract.",
    headline: "Your account will close once you are paid out",
    band: { tone: "action", word: "Not closed yet" },
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      "You asked to close your account. You still have a balance, a pending deposit or a running contract. The account stays open until that is settled and paid out, and then closes automatically.",
      "Until then you can change your mind in your profile at any time.",
    ],
    action: { label: "See what is still open", url: `${site.appUrl}/account/profile/close` },
    closing: [
      "If it was not you, someone else knows your password. Set a new one now, and cancel the closing.",
    ],
    because,
  });
}

/** Tells a customer that the account is closed, with the way back. */
export function closedMail(
  site: Site,
  to: { firstName: string; url: string; eraseAfter: Date },
): RenderedMail {
  return renderMail(site, {
    template: "account-closed",
    subject: `Your ${site.siteName} account is closed`,
    preview: `You can change your mind for ${retention.changeOfMindDays} days.`,
    headline: "Your account is closed",
    band: { tone: "loss", word: "Account closed" },
    greeting: `Hello ${to.firstName},`,
    facts: [["Erased after", momentInWords(to.eraseAfter)]],
    paragraphs: [
      `We signed out every device, and no one can sign in. For ${retention.changeOfMindDays} days this link opens the account again, as it was.`,
      "After that we erase your name, address and everything else that says who you are, this mail included. That cannot be reversed.",
    ],
    action: { label: "Open the account again", url: to.url, acts: true },
    closing: ["If you did not close it, open it again and set a new password at once."],
    because,
    holdsLink: true,
  });
}

/** Tells a customer why a closed account is open again. */
export function reopenedMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "account-reopened",
    subject: `Something arrived in your closed ${site.siteName} account`,
    preview: "We owe it to you, so we erased nothing.",
    headline: "Your account is open again",
    band: { tone: "action", word: "Please look" },
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      "Something arrived in your account after it was closed. We owe it to you, so we erased nothing and opened the account again. Sign in to see it. The account closes automatically once it is paid out.",
    ],
    action: { label: "Sign in", url: `${site.appUrl}/login` },
    because,
  });
}

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
