import { confirmationHours } from "../newsletter.ts";
import type { retention } from "../retention.ts";
import type { TermWords } from "../term-words.ts";
import { type LegalDocument, type LegalSection, sections } from "./legal-document.ts";

/** How long things are kept, in days, as the sweeps read it. */
export type Retention = { readonly [Key in keyof typeof retention]: number };

/** The Privacy Policy: what the product keeps of a person, why, how long, and who can see it. */
export function privacyText(w: TermWords, kept: Retention): LegalDocument {
  return {
    id: "privacy",
    title: "Privacy Policy",
    opening: [
      "What we keep about you, why, for how long, and who can see it. It says what the program does today. The [Cookie Policy](/terms?tab=cookies) lists what your browser keeps.",
    ],
    sections: [
      ...who(),
      ...customers(w),
      ...dealings(kept),
      ...visitors(kept),
      ...staffAndOthers(kept),
      ...keeping(w, kept),
      ...rights(w, kept),
    ],
  };
}

function who(): LegalSection[] {
  return sections({
    controller: [
      "The controller",
      "The operator of this site, named on the [About](/about) and [Contact](/contact) pages where the operator has entered it. “We” are the operator. Write to us about anything in this text.",
    ],
    principle: [
      "The short form",
      {
        list: [
          "We keep what the service needs, and ask for nothing else.",
          "We do not sell or lend it, show no advertising, and do not track visits.",
          "The pages load nothing from other companies unless you agree to it.",
          "Entries in the ledger and in the audit log stay for good. No one can delete them, we included: that is what makes your figures provable.",
        ],
      },
    ],
  });
}

function customers(w: TermWords): LegalSection[] {
  return sections({
    "account-data": [
      "When you have an account",
      {
        head: ["What", "Why"],
        rows: [
          [
            "First name, last name, e-mail address, and whether the address is verified",
            "To keep your account and to write to you: the agreement with you",
          ],
          [
            "If you enter it in your profile: a telephone number",
            "To reach you if an e-mail is not enough. You can delete it at any time",
          ],
          [
            "What you choose in your profile: how dates, numbers and values are shown, which e-mails you get, and the anti-phishing phrase in them",
            "To follow your choices, and to let you tell our e-mails from fakes",
          ],
          [
            "The history of your account: what you changed and when, with the IP address and browser",
            "To let you see whether someone else was there",
          ],
          [
            `A change of your e-mail address: both addresses, when each agreed, for 30 days after the links expired`,
            "So that no one takes over your account through a mistyped address",
          ],
          [
            "A hash of your password (Argon2id). The password itself is never stored",
            "To let you in",
          ],
          ["When you registered, and when you accepted the terms", "To prove the agreement"],
          [
            `For each session: when it began and was last used, your IP address and browser. Deleted within about an hour after the session ends: after ${w.rememberedSession} or ${w.forgottenSession}, or when you sign out; about a day after it ended because it was not used`,
            "To keep you signed in and to find misuse",
          ],
          [
            "Hashes of the links in our e-mails, with the address they went to",
            "So that a link works once",
          ],
          [
            "E-mails that we sent you. We remove links that open an account once a mail server has taken the e-mail",
            "To know what we told you",
          ],
          [
            "Notices in your account, and a message on your dashboard that our staff wrote for you",
            "To tell you something",
          ],
          [
            "Of two-factor authentication, if you use it: the secret of your app, encrypted; the public keys and the names of your passkeys; hashes of recovery codes, and which were used",
            "To ask for it, and to let no one in without it",
          ],
        ],
      },
    ],
    "deposit-data": [
      "When you make a deposit",
      {
        list: [
          "Amount, method, date, our decision and its reason, the transaction's id and the quantity that arrived.",
          "The payment slip. We re-encode a picture to remove hidden data, such as place and device. We keep a PDF as you sent it, after a check for active content. With it we keep its file name and fingerprints of the file, to find slips that were used before.",
          "We delete an uploaded slip that no deposit uses after a day.",
          "Your deposit addresses. We derive them for you alone from our public keys, and keep them with your account's number.",
          "The entries in the ledger. They contain your account's number, coins and amounts; no name and no e-mail address.",
        ],
      },
      "Everyone can read payments on a public chain, for good.",
    ],
  });
}

function dealings(kept: Retention): LegalSection[] {
  return sections({
    "contract-data": [
      "When you buy a mining contract",
      {
        list: [
          "The quotes that you asked for, which we delete after a week unless you bought at them; and what you bought, when, and under which version of the terms.",
          "For each day what your contract earned and owed and how we calculated it, what your balance did not cover, and how a contract ended.",
          "For 31 days your place in the daily proof of what we owe: what you had, and a random number. Other customers see sums that include it, or your sum alone, never your name or your account's number.",
          "Links with which you share a receipt. Anyone who has one can read the figures of one day, and no name.",
        ],
      },
    ],
    "withdrawal-data": [
      "When you withdraw, or take a statement",
      {
        list: [
          "The addresses in your book, with the names that you gave them, and when you added and removed them.",
          "What you withdrew: coin, amount, fee, address, what it was worth, when you asked and confirmed, our decision and holds with their reasons, and the transaction that paid it.",
          "Of a printed statement: its period, the number of its entries, the sums of each coin and a hash, under a code. Anyone who has the code can read these, and no name.",
        ],
      },
      "Everyone can read on the public chain, for good, which address we paid, how much and when. A payment in bitcoin shares a transaction with payments to others.",
    ],
    "verification-data": [
      "When you declare your country, or verify your identity",
      {
        list: [
          "The country that you declare, and when; we keep earlier answers too.",
          "Your legal name, date of birth and address, which kind of document you send and how long it is valid: each time that you submit them.",
          "A picture or PDF of your identity document, and a photo of you with it or a proof of address. We re-encode a picture to remove hidden data; we keep a PDF as you sent it, after a check for active content. We encrypt each file with its own key; the key to that is outside the database.",
          `We delete documents ${kept.approvedDocumentDays} days after an approval, or later where a law requires it: the page Verification says after how many days. We delete them ${kept.unapprovedDocumentDays} days after we decline, and ${kept.unapprovedDocumentDays} days after an upload that you never submitted.`,
          "The answers of our staff to each question about your documents, with their notes, and the decision with its reasons.",
        ],
      },
      "Only verification staff can open a document, one at a time, and we log every view in the audit log.",
    ],
  });
}

function visitors(kept: Retention): LegalSection[] {
  return sections({
    "visit-data": [
      "When you only visit",
      "Reading leaves no cookie and no profile. The server's log has the time, the page without its query, the status and the duration: no address, no browser. Counters against misuse keep a hash of the address of attempts, for up to a day.",
      "A server in front of this one, such as the operator's hosting, may keep its own logs.",
    ],
    "contact-data": [
      "When you write to us",
      `Your name, e-mail address, subject and message, our answers, and whether you were signed in. We e-mail you that it arrived, and our answer. If you write from your account, also the files you send along, re-encoded without hidden data, and the deposit, contract or withdrawal it is about; you read our answer in your account, and every time staff open a file it is logged. We delete a conversation with its files ${kept.contactThreadDays} days after its last message, once it is answered or closed, and spam after ${kept.contactSpamDays} days. We keep one that waits for our answer until then.`,
      "Against robots your browser solves a small puzzle from us, without a third party; without JavaScript there is a short wait instead.",
    ],
    "newsletter-data": [
      "When you subscribe to the newsletter",
      `Your e-mail address, when and on which page you asked, the version of the text that you agreed to, and when you confirmed by the link in our e-mail, which works for ${confirmationHours} hours: your consent. We delete an unconfirmed address ${kept.unconfirmedSubscriptionDays} days after its link expired. Every issue has a link that unsubscribes you with one click; ${kept.endedSubscriptionDays} days later we delete your address. We keep when and how you agreed and left, without the address. We do not measure whether you open or click.`,
    ],
    "testimonial-data": [
      "When you let us quote you",
      "Only if we asked you and you agreed to the exact words: these, the name and role shown with them, and when you agreed. You can remove them at any time, and they leave the site at once. We keep that you agreed, and to what.",
    ],
  });
}

function staffAndOthers(kept: Retention): LegalSection[] {
  return sections({
    "staff-data": [
      "What our staff write and do about you",
      {
        list: [
          "Notes that they write for each other, so that you need not explain things twice. A copy of your data has them, without the writer's name.",
          "Flags: that colleagues look closer at something or ask before they decide, with a reason and an end within a year. A copy of your data has them only once they are over, because a flag that the customer knows of protects no one.",
          "Views of your account as you see it, by support or an owner of the service: 15 minutes at most, read-only; support sees nothing of your verification there. We e-mail you the reason at once, and it stays in the history of your account.",
          "Our own money that we gave you: amount, reason, a note for colleagues, and a file that shows why, such as your e-mail. You read the reason; the staff who decide about money see the file, and we log every view.",
        ],
      },
      `We delete notes and flags when we erase your account. We delete the file ${kept.closedAccountSlipDays} days after that, and ${kept.evidenceYears} years after the decision at the latest; for a gift that we did not make, ${kept.declinedEvidenceDays} days after the decision. We keep the file's fingerprint.`,
    ],
    "who-sees": [
      "Access",
      {
        list: [
          "You: your own account. Other customers see nothing of it.",
          "Our staff, as far as their work needs: each has a role, and reads what that role is for. The audit log has every view of a payment slip, an identity document or your account as you see it, and every change by staff.",
          "Companies that work for us: the mail server that sends our e-mails, the hosting of the server and its database, a file store if the operator uses one, and the mail service that sends the newsletter if you subscribed. They act on our instructions. Ask us for their names.",
          "Authorities and courts, where the law obliges us, and only that far.",
        ],
      },
      "Where these are outside your country, the law there may protect you less. We tell you on request where your data is.",
    ],
    widgets: [
      "Market prices and widgets",
      "Our server asks exchanges for prices; it tells them nothing about you. Your browser loads the charting provider's widgets, where an operator offers them, only after you agree: the [Cookie Policy](/terms?tab=cookies#providers) says what happens then.",
    ],
    "automated-decisions": [
      "Automated decisions",
      "A program does what follows from the terms without judging you: it credits payments that arrived and reverses those that left the chain, settles mining days and fees, and cancels a contract whose maintenance fee stays unpaid. Each of these shows how it was calculated. The program also limits attempts for a time, and where an operator closes countries, no one can sign in or register from their addresses.",
      "A person decides what needs judgement: slips, verifications, withdrawals, holds, freezes. A program only notes that two slips are the same file. Write to us, and a person reviews what a program did.",
    ],
    security: [
      "How it is protected",
      "Passwords as Argon2id hashes; sessions that end at once when you set a new password; slips outside the web's reach, served to you and to staff only; identity documents encrypted, for verifiers alone; a database login that cannot change an entry of the ledger; every staff act in a log that only grows. Encryption of the connection depends on the operator's server: look for https in the address. No system is safe from everything; if a breach concerns your data, we tell you as the law requires.",
    ],
  });
}

function keeping(w: TermWords, kept: Retention): LegalSection[] {
  return sections({
    retention: [
      "How long we keep it",
      {
        head: ["What", "How long"],
        rows: [
          ["Sessions", `${w.rememberedSession} or ${w.forgottenSession}, or until you sign out`],
          ["Used and expired links", "30 days after they expire"],
          ["Slips without a deposit", "1 day"],
          [
            "Messages to us and their files",
            `${kept.contactThreadDays} days; spam ${kept.contactSpamDays} days`,
          ],
          [
            "Identity documents",
            `${kept.approvedDocumentDays} days after an approval, unless a law asks for longer; ${kept.unapprovedDocumentDays} days after a decision that declined or an upload that was not submitted`,
          ],
          [
            "Your answers for a verification that you never submitted",
            `${kept.unapprovedDocumentDays} days after its last change`,
          ],
          [
            "Newsletter addresses",
            `until ${kept.endedSubscriptionDays} days after you leave; unconfirmed ones ${kept.unconfirmedSubscriptionDays} days after the link expires`,
          ],
          [
            "A copy of your data that you asked for",
            `${kept.dataExportDays} days, encrypted; then we delete its file and its key`,
          ],
          [
            "What identifies you: name, addresses, phone number, phrase, settings, your withdrawal address book, notices, e-mails, messages and files sent while signed in, your words on our site, IP addresses and browsers in the history of the account",
            `As long as the account exists, and ${kept.changeOfMindDays} days after you closed it: until then you can change your mind`,
          ],
          [
            "The slips of deposits",
            `As long as the account exists, and ${kept.closedAccountSlipDays} days after it was erased, so that we can settle a dispute`,
          ],
          ["Notes and flags of our staff", "As long as the account exists"],
          [
            "Files that show why we gave you something",
            `${kept.closedAccountSlipDays} days after the account was erased; ${kept.evidenceYears} years at the longest, ${kept.declinedEvidenceDays} days where we gave nothing`,
          ],
          [
            "What we verified about you, and the country that you declared",
            `As long as the account exists. For customers whose account ever held coins, their identity (the last approval, and the country declared last) ${kept.kycYears} years longer, as laws on money laundering require`,
          ],
          [
            "Deposits, your deposit addresses, contracts and their receipts, withdrawals and their addresses, printed statements, what we gave you and why, the ledger, the audit log, and when what happened to the account",
            "For good. After you have left they contain a number and no name. What staff wrote in the audit log about an act stays as it was written",
          ],
          ["Backups", "As long as the operator keeps them; deleted data stays in them until then"],
        ],
      },
    ],
  });
}

function rights(w: TermWords, kept: Retention): LegalSection[] {
  return sections({
    rights: [
      "Your rights",
      {
        list: [
          "to know what we keep about you, and to get a copy of it, also in a machine-readable form;",
          "to have errors corrected;",
          "to have it deleted, or its use restricted, unless a law or your own provable figures need it;",
          "to object to uses based on our interest, and to withdraw a consent for the future;",
          "to complain to the data protection authority where you live.",
        ],
      },
      "Your profile has the copy (JSON and CSV in a zip), the corrections, and a way to close the account. Write to us for everything else. We may ask you to prove your identity from the e-mail address that we know.",
      `To close the account you enter your password. We pay out first what we owe you. Then no one can sign in. For ${kept.changeOfMindDays} days a link in an e-mail opens the account again; after that we erase what identifies you. The entries in the ledger stay, under a number without a name.`,
    ],
    bases: [
      "Legal bases",
      "The agreement with you (account, deposits, contracts, withdrawals, e-mails about them); duties by law (bookkeeping, money laundering); our interest in a service that is not misused (limits, audit log, comparing slips); your consent (newsletter, testimonials, widgets).",
    ],
    children: [
      "Children",
      `The service is for people who are ${w.minimumAge} or older. When we learn that an account belongs to someone younger, we close it.`,
    ],
    "privacy-changes": [
      "Changes",
      "A changed text is a new version with a number and a date. Earlier ones stay here and can be compared with it.",
    ],
  });
}
