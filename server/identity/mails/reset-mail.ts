import { terms } from "#core/terms.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Brings the link with which a forgotten password is replaced. */
export function resetMail(site: Site, to: { firstName: string; url: string }): RenderedMail {
  return renderMail(site, {
    template: "reset",
    subject: `Reset your ${site.siteName} password`,
    preview: "The link sets a new password. It works once.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      "Somebody asked to reset the password of your account. The link below sets a new one.",
    ],
    action: { label: "Set a new password", url: to.url },
    closing: [
      `The link works once, for ${terms.resetLinkMinutes} minutes. Setting a new password signs you out everywhere.`,
      "If it was not you, do nothing: your password stays as it is.",
    ],
    holdsLink: true,
  });
}
