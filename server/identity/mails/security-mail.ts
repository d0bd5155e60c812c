import { securityTerms } from "#core/security-terms.ts";
import { renderMail, type Site } from "../../platform/mail/layout.ts";
import type { RenderedMail } from "../../platform/mail/mail.ts";

/** What a mail about security tells. */
export interface SecurityNews {
  what:
    | "new-device"
    | "wrong-codes"
    | "wrong-codes-in-session"
    | "password-changed"
    | "email-changed"
    | "second-factor-changed";
  /** The change in a sentence: "A passkey was added." */
  sentence: string;
  /** What belongs to it, each with its name: "Browser" "Firefox on Linux". */
  facts?: Array<[name: string, value: string]>;
  /** What the account's customer typed: only for an address that is theirs for sure. */
  ownWords?: Array<[name: string, value: string]>;
}

/** What changes nothing about the account by itself. */
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
  "second-factor-changed": (account) => `A second factor of ${account} was changed`,
};

/** Tells of a sign-in or a change, with the link that freezes the account if it was somebody else's doing. */
export function securityMail(
  site: Site,
  to: { firstName: string; url: string; news: SecurityNews; now: Date },
): RenderedMail {
  const { news, now } = to;
  const holdsMoney = !changesNothing.includes(news.what);
  return renderMail(site, {
    template: news.what,
    subject: subjects[news.what](`your ${site.siteName} account`),
    preview: news.sentence,
    greeting: `Hello ${to.firstName},`,
    paragraphs: [
      news.sentence,
      ...(holdsMoney
        ? [
            `For your safety no money can leave the account for ${securityTerms.changeHoldHours} hours.`,
          ]
        : []),
      "If it was you, there is nothing to do. If not, freeze the account now: everybody is signed out, and nothing can be changed or paid out until our staff have spoken with you.",
    ],
    facts: [["When", utc(now)], ...(news.facts ?? [])],
    action: { label: "It was not me: freeze the account", url: to.url },
    closing: [
      `The link works once, for ${securityTerms.freezeLinkDays} days, and without signing in. The page behind it asks before it does anything.`,
    ],
    holdsLink: true,
  });
}

/** "2026-03-01 12:00 UTC". */
function utc(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
