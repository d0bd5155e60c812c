import { retention } from "#core/retention.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells a customer who wants to leave that something is owed to him first. */
export function closingWaitsMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "closing-waits",
    subject: `Your ${site.siteName} account closes once you are paid out`,
    preview: "Something stands in it, or waits for review.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      "We have written down that you want to close your account. Something is owed to you first: coins stand in it, a deposit waits for review, or a contract runs. The account stays open until that is decided, served and paid out, and closes by itself then.",
      "You can take the wish back in your profile at any time before.",
    ],
    action: { label: "See what is open", url: `${site.appUrl}/account/profile/close` },
    closing: [
      "If it was not you, somebody else knows your password: set a new one now, and take the wish back.",
    ],
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
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `Your account is closed: everybody is signed out, and nobody can sign in. For ${retention.changeOfMindDays} days you can open it again by the link below, as it was. After that we erase your name, address and everything else that tells who you are, this mail included. There is no way back from then on, and you hear from us no more.`,
    ],
    facts: [["Erased after", `${to.eraseAfter.toISOString().slice(0, 16).replace("T", " ")} UTC`]],
    action: { label: "Open the account again", url: to.url },
    closing: ["If it was not you who closed it, open it again and set a new password at once."],
    holdsLink: true,
  });
}

/** Tells a customer why a closed account is open again. */
export function reopenedMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "account-reopened",
    subject: `Something arrived in your closed ${site.siteName} account`,
    preview: "We owe it to you, so nothing was erased.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      "Something arrived in your account after it was closed. We owe it to you, so nothing was erased and the account is open again. Sign in to see it. The account closes by itself once it is paid out.",
    ],
    action: { label: "Sign in", url: `${site.appUrl}/login` },
  });
}
