import { terms } from "#core/terms.ts";
import { actionNeeded, renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Brings the link with which a forgotten password is replaced. */
export function resetMail(site: Site, to: { firstName: string; url: string }): RenderedMail {
  return renderMail(site, {
    template: "reset",
    subject: `Reset your ${site.siteName} password`,
    preview: "The link sets a new password. It works once.",
    headline: "Set a new password",
    band: actionNeeded,
    greeting: `Hello ${to.firstName},`,
    paragraphs: ["Someone asked to reset the password of your account. This link sets a new one."],
    action: { label: "Set a new password", url: to.url, acts: true },
    closing: [
      `The link works once, for ${terms.resetLinkMinutes} minutes. A new password signs you out on every device.`,
      "If it was not you, do nothing. Your password stays as it is.",
    ],
    because: "You get this because someone asked to reset the password of your account.",
    holdsLink: true,
  });
}
