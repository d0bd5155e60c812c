import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** Tells the owner of an address that someone tried to sign up with it once more. */
export function alreadyRegisteredMail(site: Site, to: { firstName: string }): RenderedMail {
  return renderMail(site, {
    template: "already-registered",
    subject: `You already have an account at ${site.siteName}`,
    preview: "Someone tried to sign up with your e-mail address.",
    headline: "You already have an account",
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `Someone tried to sign up at ${site.siteName} with this e-mail address. It already has an account, so we changed nothing.`,
      "If it was you, sign in with your password. If you forgot it, reset it.",
    ],
    action: { label: "Reset the password", url: `${site.appUrl}/forgotpassword` },
    closing: ["If it was not you, there is nothing to do. No one got in."],
    because: "You get this because someone entered the address of your account.",
  });
}
