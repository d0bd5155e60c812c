import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells the owner of an address that somebody tried to register it once more. */
export function alreadyRegisteredMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "already-registered",
    subject: `You already have an account at ${site.siteName}`,
    preview: "Somebody tried to register with your e-mail address.",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `Somebody tried to register at ${site.siteName} with this e-mail address. It has an account already, so nothing was changed.`,
      "If it was you, sign in with your password, or reset it if you have forgotten it.",
    ],
    action: { label: "Reset the password", url: `${site.appUrl}/forgotpassword` },
    closing: ["If it was not you, there is nothing to do. Nobody has got in."],
  });
}
