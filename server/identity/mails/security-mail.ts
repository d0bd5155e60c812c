import { securityTerms } from "#core/people/security-terms.ts";
import { momentInWords } from "#core/text/date-in-words.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";
import { aboutSecurity } from "./about-security.ts";

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
