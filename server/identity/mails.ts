import { securityTerms } from "#core/people/security-terms.ts";
import type { OperatorRole } from "#core/permissions.ts";
import { terms } from "#core/terms.ts";
import { momentInWords } from "#core/text/date-in-words.ts";
import { actionNeeded, done, renderMail, type Site } from "#server/platform/mail/layout.ts";
import type { RenderedMail } from "#server/platform/mail/mail.ts";

/** Why mails of this kind come, whatever their reader has switched off. */
export const aboutSecurity = "You get this because it is about the security of your account.";

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

/** Says that the account is frozen, why, and how it is opened again. */
export function frozenMail(
  site: Site,
  { firstName, reason }: { firstName: string; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "account-frozen",
    subject: `Your ${site.siteName} account is frozen`,
    preview: "No one can sign in, and nothing can be changed or paid out.",
    headline: "Your account is frozen",
    band: { tone: "loss", word: "Account frozen" },
    greeting: `Hello ${firstName},`,
    quotes: [["Reason", reason]],
    paragraphs: [
      "We signed out every device. No one can sign in, and nothing can be changed or paid out. Your balances stay as they are.",
      "To open the account again, write to us. We will ask you to show that it is you.",
    ],
    action: { label: "Write to us", url: `${site.appUrl}/contact` },
    because: aboutSecurity,
  });
}

/** Says that the account works again, and why. */
export function unfrozenMail(
  site: Site,
  { firstName, isStaff, reason }: { firstName: string; isStaff: boolean; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "account-unfrozen",
    subject: `Your ${site.siteName} account works again`,
    preview: "You can sign in. If someone else may know your password, set a new one first.",
    headline: "You can sign in again",
    band: done,
    greeting: `Hello ${firstName},`,
    ...(!isStaff && {
      facts: [["Withdrawals paused for", `${securityTerms.changeHoldHours} hours`]] as const,
    }),
    quotes: [["Reason", reason]],
    paragraphs: [
      `Your account is no longer frozen. If someone else may know your password, set a new one before you sign in.${isStaff ? "" : " Withdrawals stay paused a little longer, for your safety."}`,
    ],
    action: { label: "Set a new password", url: `${site.appUrl}/forgotpassword` },
    closing: ["If only you know your password, sign in as usual."],
    because: aboutSecurity,
  });
}

/** Brings the link with which a new member of staff sets a password. */
export function operatorInvitationMail(
  site: Site,
  to: { firstName: string; role: OperatorRole; invitedBy: string; url: string },
): RenderedMail {
  return renderMail(site, {
    template: "operator-invitation",
    subject: `You are invited to the console of ${site.siteName}`,
    preview: "The link sets your password. It works once.",
    headline: `Join the staff of ${site.siteName}`,
    band: actionNeeded,
    greeting: `Hello ${to.firstName},`,
    facts: [
      ["Invited by", to.invitedBy],
      ["Your role", to.role],
    ],
    paragraphs: ["Set a password with this link, then sign in with this e-mail address."],
    action: { label: "Set a password", url: to.url, acts: true },
    closing: [
      `The link works once, for ${terms.operatorInvitationHours} hours. After that, an owner can send a new one.`,
      "If you do not know why you got this, do nothing. The invitation opens nothing without you.",
    ],
    because: `You get this because ${to.invitedBy} invited you to the staff of ${site.siteName}.`,
    holdsLink: true,
  });
}

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

/** What a mail about security tells. */
export interface SecurityNews {
  what:
    | "new-device"
    | "wrong-codes"
    | "wrong-codes-in-session"
    | "password-changed"
    | "email-changed"
    | "mfa-changed";
  /** The change in a sentence: "A passkey was added." */
  sentence: string;
  /** What belongs to it, each with its name: "Browser" "Firefox on Linux". */
  facts?: Array<[name: string, value: string]>;
  /** What the account's customer typed: only for an address that is theirs for sure. */
  ownWords?: Array<[name: string, value: string]>;
}

/** What changes nothing about the account. */
const changesNothing: ReadonlyArray<SecurityNews["what"]> = [
  "new-device",
  "wrong-codes",
  "wrong-codes-in-session",
];

const subjects: Record<SecurityNews["what"], (account: string) => string> = {
  "new-device": (account) => `New sign-in to ${account}`,
  "wrong-codes": (account) => `Someone knows the password of ${account}`,
  "wrong-codes-in-session": (account) => `Wrong codes were entered in ${account}`,
  "password-changed": (account) => `The password of ${account} was changed`,
  "email-changed": (account) => `The e-mail address of ${account} was changed`,
  "mfa-changed": (account) => `A second factor of ${account} was changed`,
};

/** Tells of a sign-in or a change, with the link that freezes the account if someone else did it. */
export function securityMail(
  site: Site,
  to: { firstName: string; isStaff: boolean; url: string; news: SecurityNews; now: Date },
): RenderedMail {
  const { news, now, isStaff } = to;
  // Staff have no coins of their own here.
  const pausesWithdrawals = !isStaff && !changesNothing.includes(news.what);
  return renderMail(site, {
    template: news.what,
    subject: subjects[news.what](`your ${site.siteName} account`),
    preview: news.sentence,
    headline: subjects[news.what]("your account"),
    band: { tone: "action", word: "Was this you?" },
    greeting: `Hello ${to.firstName},`,
    facts: [["When", momentInWords(now)], ...(news.facts ?? [])],
    paragraphs: [
      news.sentence,
      ...(pausesWithdrawals
        ? [`For your safety, withdrawals are paused for ${securityTerms.changeHoldHours} hours.`]
        : []),
      isStaff
        ? "If it was you, there is nothing to do. If not, freeze the account now: every device is signed out, and the account can do nothing until a colleague opens it again."
        : "If it was you, there is nothing to do. If not, freeze the account now: every device is signed out, and nothing can be changed or paid out until our staff have spoken with you.",
    ],
    action: { label: "It was not me: freeze the account", url: to.url, acts: true },
    closing: [
      `The link works once, for ${securityTerms.freezeLinkDays} days, without signing in. You will be asked to confirm first.`,
    ],
    because: aboutSecurity,
    holdsLink: true,
  });
}

/** Tells an owner that a command on the server suspended a member of staff, without a second owner's confirmation. */
export function staffSuspendedMail(
  site: Site,
  to: { firstName: string; name: string; email: string; role: string; reason: string },
): RenderedMail {
  return renderMail(site, {
    template: "staff-suspended",
    subject: `${to.name} was suspended from the staff of ${site.siteName}`,
    preview: "By a command on the server, without a second owner.",
    headline: `${to.name} was suspended`,
    band: { tone: "action", word: "Please check" },
    greeting: `Hello ${to.firstName},`,
    facts: [
      ["Name", to.name],
      ["E-mail", to.email],
      ["Role", to.role],
    ],
    quotes: [["Reason", to.reason]],
    paragraphs: [
      "A command on the server did this, so no second owner was asked. Every owner gets this mail, and the audit log keeps the command.",
    ],
    action: { label: "See the staff", url: `${site.appUrl}/operator/staff` },
    closing: [
      "If none of you ran the command, someone else has access to the server. Find out who before anything else.",
    ],
    because: `You get this because you are an owner of ${site.siteName}.`,
  });
}

/** Asks a customer to confirm that the inbox is theirs. */
export function verificationMail(site: Site, to: { firstName: string; url: string }): RenderedMail {
  return renderMail(site, {
    template: "verification",
    subject: `Verify your e-mail address for ${site.siteName}`,
    preview: "One click confirms that this inbox is yours.",
    headline: "Verify your e-mail address",
    band: actionNeeded,
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      `Someone opened an account at ${site.siteName} with this e-mail address. Please confirm that the address is yours.`,
    ],
    action: { label: "Verify e-mail address", url: to.url, acts: true },
    closing: [
      `The link works once, for ${terms.verificationLinkHours} hours. After that, its page offers a new one.`,
      "If you did not sign up, do nothing. The address stays unverified.",
    ],
    because: `You get this because this address was used to sign up at ${site.siteName}.`,
    holdsLink: true,
  });
}

/** Says that staff look at the account as its customer sees it, why, and until when. */
export function viewedMail(
  site: Site,
  { firstName, reason, from, to }: { firstName: string; reason: string; from: Date; to: Date },
): RenderedMail {
  return renderMail(site, {
    template: "account-viewed",
    subject: `Our staff look at your ${site.siteName} account`,
    preview: reason,
    headline: "A member of our staff opened your account to read it",
    greeting: `Hello ${firstName},`,
    facts: [
      ["From", momentInWords(from)],
      ["Until at most", momentInWords(to)],
    ],
    quotes: [["Reason", reason]],
    paragraphs: [
      "They see the pages of your account as you do. They cannot change, order or pay out anything, and they do not see your phrase, your recovery codes or the files you sent.",
    ],
    action: {
      label: "See your account's history",
      url: `${site.appUrl}/account/security/history`,
    },
    also: { label: "I did not ask for help: write to us", url: `${site.appUrl}/contact` },
    because: aboutSecurity,
  });
}
