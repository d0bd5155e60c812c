import { terms } from "#core/terms.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

const validity = `The link works once, for ${terms.verificationLinkHours} hours.`;

/** Asks the old address whether the account may leave it; null: the new one is not named to an address that may be a stranger's. */
export function agreeToLeaveMail(
  site: Site,
  to: { firstName: string; newEmail: string | null; url: string },
): RenderedMail {
  return renderMail(site, {
    template: "email-change-old",
    subject: `Confirm the new e-mail address of your ${site.siteName} account`,
    preview: "Nothing changes before both addresses agree.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      "Somebody who knows your password asked to change the e-mail address of your account. Nothing changes before both addresses agree: this one by the link below, the new one by a link that was sent there.",
    ],
    facts: to.newEmail === null ? [] : [["New address", to.newEmail]],
    action: { label: "Agree to the change", url: to.url },
    closing: [
      validity,
      "If it was not you, do not follow the link: the address stays as it is. Somebody else knows your password then, so set a new one now.",
    ],
    holdsLink: true,
  });
}

/** Asks the new address whether it wants the account. It may be a stranger's: it learns no name. */
export function agreeToTakeMail(site: Site, to: { url: string }): RenderedMail {
  return renderMail(site, {
    template: "email-change-new",
    subject: `Confirm this e-mail address for ${site.siteName}`,
    preview: "One click shows that this mailbox is yours.",
    greeting: "Hello,",
    paragraphs: [
      `A customer of ${site.siteName} wants to use this e-mail address for his account. If that is you, confirm that the address is yours.`,
    ],
    action: { label: "Confirm this address", url: to.url },
    closing: [validity, "If it was not you, do nothing: nothing happens then."],
    holdsLink: true,
  });
}

/** Tells the owner of an address that somebody wanted it for another account. */
export function addressWantedMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "email-change-taken",
    subject: `Somebody wanted to use your address at ${site.siteName}`,
    preview: "Nothing was changed.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `A customer of ${site.siteName} asked to use this e-mail address for another account. It belongs to yours, so nothing was changed, and the other person was told nothing.`,
      "If it was you, sign in to the account that has this address, or choose another address for the other account.",
    ],
    closing: ["If it was not you, there is nothing to do."],
  });
}
