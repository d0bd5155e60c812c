import { terms } from "#core/terms.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { aboutSecurity } from "./about-security.ts";

const validity = `The link works once, for ${terms.verificationLinkHours} hours.`;

/** Asks the old address whether the account may leave it; null: the new one is not named to an address that may be a stranger's. */
export function agreeToLeaveMail(
  site: Site,
  to: { firstName: string; newEmail: string | null; url: string },
): RenderedMail {
  return renderMail(site, {
    template: "email-change-old",
    subject: `Confirm the new e-mail address of your ${site.siteName} account`,
    preview: "Nothing changes until both addresses agree.",
    headline: "Agree to a new e-mail address",
    band: actionNeeded,
    greeting: `Hello ${to.firstName},`,
    facts: to.newEmail === null ? [] : [["New address", to.newEmail]],
    paragraphs: [
      "Someone who knows your password asked to change the e-mail address of your account. Nothing changes until both addresses agree: this one with the link below, the new one with a link that we sent there.",
    ],
    action: { label: "Agree to the change", url: to.url, acts: true },
    closing: [
      validity,
      "If it was not you, do not open the link: the address stays as it is. But someone else knows your password, so set a new one now.",
    ],
    because: aboutSecurity,
    holdsLink: true,
  });
}

/** Asks the new address whether it wants the account. It may be a stranger's: it learns no name. */
export function agreeToTakeMail(site: Site, to: { url: string }): RenderedMail {
  return renderMail(site, {
    template: "email-change-new",
    subject: `Confirm this e-mail address for ${site.siteName}`,
    preview: "One click confirms that this inbox is yours.",
    headline: "Confirm this e-mail address",
    band: actionNeeded,
    greeting: "Hello,",
    paragraphs: [
      `A customer of ${site.siteName} wants to use this e-mail address for their account. If that is you, confirm that the address is yours.`,
    ],
    action: { label: "Confirm this address", url: to.url, acts: true },
    closing: [validity, "If it was not you, do nothing. Nothing will change."],
    because: "You get this because a customer entered this address.",
    holdsLink: true,
  });
}

/** Tells the owner of an address that someone wanted it for another account. */
export function addressWantedMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "email-change-taken",
    subject: `Someone wanted to use your address at ${site.siteName}`,
    preview: "Nothing was changed.",
    headline: "Another account asked for your address",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `A customer of ${site.siteName} asked to use this e-mail address for another account. It belongs to yours, so we changed nothing and told them nothing.`,
      "If it was you, sign in to the account that has this address, or choose another address for the other account.",
    ],
    closing: ["If it was not you, there is nothing to do."],
    because: aboutSecurity,
  });
}
