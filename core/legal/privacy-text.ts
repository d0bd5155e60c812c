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
      "What we keep of you, why, for how long, and who can see it. It says what the program does today. What your browser keeps stands in the [Cookie Policy](/terms?tab=cookies).",
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
      "Who is responsible",
      "The operator of this site, named on the [About](/about) and [Contact](/contact) pages where the operator has entered it. “We” are the operator. Write to us about anything in this text.",
    ],
    principle: [
      "The short form",
      {
        list: [
          "We keep what the service needs, and ask for nothing else.",
          "We do not sell or lend it, show no advertising, and measure nobody's visits.",
          "The pages load nothing from other companies unless you say yes to it.",
          "What stands in the journal and in the audit log stays for good. Nobody can delete it, we included: that is what makes your figures provable.",
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
            "To reach you where a mail is not enough. You can delete it at any time",
          ],
          [
            "What you choose in your profile: how dates, numbers and values are shown, what you want mail about, and the phrase that our mails to you carry",
            "To do as you wish, and to let you tell our mails from others",
          ],
          [
            "The history of your account: what you changed and when, with the IP address and browser",
            "To let you see whether somebody else was there",
          ],
          [
            `A change of your e-mail address: both addresses, when each agreed, for 30 days after the links expired`,
            "So that nobody takes your account over by a mistyped address",
          ],
          [
            "A hash of your password (Argon2id). The password itself is never stored",
            "To let you in",
          ],
          ["When you registered, and when you accepted the terms", "To prove the agreement"],
          [
            `For each session: when it began and was last used, your IP address and browser. Deleted within about an hour after the session ends: after ${w.rememberedSession} or ${w.forgottenSession}, or when you sign out; about a day after it ended because nobody used it`,
            "To keep you signed in and to find misuse",
          ],
          [
            "Hashes of the links in our mails, with the address they went to",
            "So that a link works once",
          ],
          [
            "Mails that we sent you. Links that open an account are cut out once a mail server has taken the mail",
            "To know what you were told",
          ],
          [
            "Notices in your account, and a message on your dashboard that our staff wrote for you",
            "To tell you something",
          ],
          [
            "Of a second factor, if you have one: what checks the codes of your app, encrypted; the public keys and the names of your passkeys; hashes of recovery codes, and which were used",
            "To ask for it, and to let nobody in without it",
          ],
        ],
      },
    ],
    "deposit-data": [
      "When you make a deposit",
      {
        list: [
          "Amount, method, date, our decision and its reason, the transaction's id and the quantity that arrived.",
          "The payment slip. A picture is drawn anew without its hidden data, such as place and device. A PDF is kept as you sent it, after a check that nothing in it acts. Its file name, fingerprints of the file and a tiny likeness of the picture are kept with it, to find slips that were used before.",
          "An uploaded slip that no deposit uses is deleted after a day.",
          "The addresses that you can pay to. They are made for you alone from public keys of ours, and stand beside your account's number.",
          "The entries in the journal. They hold your account's number, coins and amounts; no name and no e-mail address.",
        ],
      },
      "What is paid on a public chain can be read by everybody there, for good.",
    ],
  });
}

function dealings(kept: Retention): LegalSection[] {
  return sections({
    "contract-data": [
      "When you buy a mining contract",
      {
        list: [
          "The prices that you asked for, which are deleted after a week unless you bought at them; and what you bought, when, and under which version of the terms.",
          "For each day what your contract earned and owed and from what that was worked out, what your balance did not cover, and how a contract ended.",
          "Links by which you show a receipt to somebody. Who has one reads the figures of one day, and no name.",
        ],
      },
    ],
    "withdrawal-data": [
      "When you withdraw, or take a statement",
      {
        list: [
          "The addresses in your book, with the names that you gave them, and when you added and removed them.",
          "What you had paid out: coin, amount, fee, address, what it was worth, when you asked and confirmed, our decision and holds with their reasons, and the transaction that paid it.",
          "Of a statement on paper: its period, the number of its entries, the sums of each coin and a hash, under a code. Who has the code reads these, and no name.",
        ],
      },
      "Which address you were paid at, how much and when can be read on the public chain by everybody, for good. A payment in bitcoin is in one transaction with those of others.",
    ],
    "verification-data": [
      "When you say where you live, or verify yourself",
      {
        list: [
          "The country you say you live in, and when; earlier answers are kept too.",
          "Your legal name, date of birth and address, which kind of document you send and until when it is valid: as often as you submit them.",
          "A picture or PDF of your identity document, and a photo of you with it or a proof of address. A picture is drawn anew without its hidden data; a PDF is kept as you sent it, after a check that nothing in it acts. Each file is encrypted with a key of its own; what opens that key lies outside the database.",
          `Documents are deleted ${kept.approvedDocumentDays} days after an approval, or later where a law binds the operator to it: the page Verification says after how many days. They are deleted ${kept.unapprovedDocumentDays} days after a decision that declined, and ${kept.unapprovedDocumentDays} days after an upload that you never submitted.`,
          "What our staff answered to each question about your documents, with their notes, and the decision with its reasons.",
        ],
      },
      "Only staff who verify can open a document, one at a time, and each look is written to the audit log.",
    ],
  });
}

function visitors(kept: Retention): LegalSection[] {
  return sections({
    "visit-data": [
      "When you only visit",
      "Reading leaves no cookie and no profile. The server's log notes the time, the page without its query, the answer and how long it took: no address, no browser. Counters against misuse keep a hash of the address that attempts came from, for up to a day.",
      "A server in front of this one, such as the operator's hosting, may keep logs of its own.",
    ],
    "contact-data": [
      "When you write to us",
      `Your name, e-mail address, subject and message, our answers, and whether you were signed in. You get an e-mail that it arrived, and our answer. If you write from your account, also the files you send along, re-encoded without hidden data, and the deposit, contract or withdrawal it is about; you read our answer in your account, and every time staff open a file it is logged. A thread is deleted with its files ${kept.contactThreadDays} days after its last word, once it is answered or closed; what was spam after ${kept.contactSpamDays} days. One that waits for our answer is kept until then.`,
      "Against robots your browser solves a small sum, from us and without a third party; without JavaScript a short wait stands in for it.",
    ],
    "newsletter-data": [
      "When you subscribe to the newsletter",
      `Your e-mail address, when and on which page you asked, the version of the words that you agreed to, and when you confirmed by the link in our mail, which works for ${confirmationHours} hours: your consent. An address that nobody confirmed is deleted ${kept.unconfirmedSubscriptionDays} days after its link expired. Every issue has a link that unsubscribes you with one click; ${kept.endedSubscriptionDays} days later your address is deleted. When and how you agreed and left is kept without it. We do not measure whether you open or click.`,
    ],
    "testimonial-data": [
      "When you let us quote you",
      "Only if you were asked and agreed to the exact words: these, the name and role shown with them, and when you agreed. You can take it back at any time, and the words leave the site in the same moment. That you agreed, and to what, is kept.",
    ],
  });
}

function staffAndOthers(kept: Retention): LegalSection[] {
  return sections({
    "staff-data": [
      "What our staff write and do about you",
      {
        list: [
          "Notes that they write for each other, so that you need not explain things twice. A copy of your data has them; who wrote them is not told.",
          "Flags: that colleagues look closer at something or ask before they decide, with a reason and an end within a year. A copy of your data has them once they are over, since a flag that somebody knows of warns nobody.",
          "Looks at your account as you see it, by support or an owner of the service: 15 minutes at most, without being able to do anything; support sees nothing of your verification there. You get a mail with the reason at once, and it stays in the history of your account.",
          "What was given to you of our own money: amount, reason, a note for colleagues, and a file that shows why, such as a mail of yours. You read the reason; the file is seen by those who decide about money, and each look is written down.",
        ],
      },
      `Notes and flags are deleted when your account is erased. The file is deleted ${kept.closedAccountSlipDays} days after that, and ${kept.evidenceYears} years after the decision at the latest; of a gift that was not made, ${kept.declinedEvidenceDays} days after the decision. That there was a file, and its fingerprint, stay.`,
    ],
    "who-sees": [
      "Who can see it",
      {
        list: [
          "You: your own account. Other customers see nothing of it.",
          "Our staff, as far as their work needs: each has a role, and reads what that role is for. Each look at a payment slip, an identity document or your account as you see it is written to the audit log, as is everything that staff change.",
          "Whoever carries it out for us: the mail server that takes our mails, the hosting of the server and its database, and a file store if the operator uses one. They act on our instructions. Ask us for their names.",
          "Authorities and courts, where the law obliges us, and only that far.",
        ],
      },
      "Where these stand outside your country, the law there may protect you less. We tell you on request where your data is.",
    ],
    widgets: [
      "Market prices and widgets",
      "Our server asks exchanges for prices and other sites for news; it tells them nothing of you. The charting provider's widgets, where an operator offers them, are loaded only after your yes: the [Cookie Policy](/terms?tab=cookies#providers) says what happens then.",
    ],
    "automated-decisions": [
      "Decisions by machine",
      "What follows from the terms without any judgement of you is done by a program: it credits payments that arrived and takes back what left the chain, works out mining days and fees, and cancels a contract whose maintenance stays unpaid. Each of these shows what it was worked out from. Attempts are limited for a time, and where an operator closes countries, nobody signs in or registers from their addresses.",
      "Whatever has to be judged a person decides: slips, verifications, withdrawals, holds, freezes. A program only notes that two slips look alike. Write to us, and a person looks at what a program did.",
    ],
    security: [
      "How it is protected",
      "Passwords as Argon2id hashes; sessions that end at once when you set a new password; slips outside the web's reach, served to you and to staff only; identity documents encrypted, for verifiers alone; a database login that cannot change an entry of the journal; every staff act in a log that only grows. Encryption on the way is up to the operator's server: look for https in the address. No system is safe from everything; if yours is concerned by a breach, we tell you as the law asks.",
    ],
  });
}

function keeping(w: TermWords, kept: Retention): LegalSection[] {
  return sections({
    retention: [
      "How long it is kept",
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
            "What you said for a verification that you never submitted",
            `${kept.unapprovedDocumentDays} days after its last change`,
          ],
          [
            "Newsletter addresses",
            `until ${kept.endedSubscriptionDays} days after you leave; unconfirmed ones ${kept.unconfirmedSubscriptionDays} days after the link expires`,
          ],
          [
            "A copy of your data that you asked for",
            `${kept.dataExportDays} days, encrypted; then its file and its key are deleted`,
          ],
          [
            "What tells who you are: name, addresses, phone number, phrase, settings, the book of addresses that you withdraw to, notices, mails, messages and files sent while signed in, words on our site, IP addresses and browsers in the history of the account",
            `As long as the account exists, and ${kept.changeOfMindDays} days after you closed it: so long you can change your mind`,
          ],
          [
            "The slips of deposits",
            `As long as the account exists, and ${kept.closedAccountSlipDays} days after it was erased, so that a dispute can be settled`,
          ],
          ["Notes and flags of our staff", "As long as the account exists"],
          [
            "Files that show why something was given to you",
            `${kept.closedAccountSlipDays} days after the account was erased; ${kept.evidenceYears} years at the longest, ${kept.declinedEvidenceDays} days where nothing was given`,
          ],
          [
            "What was verified about you, and the country that you stated",
            `As long as the account exists. Of customers whose account ever held coins, who they were (the last approval, and the country stated last) ${kept.verificationYears} years longer, as laws on money laundering ask`,
          ],
          [
            "Deposits, the addresses that were yours to pay to, contracts and their receipts, withdrawals and where they went, statements on paper, what was given to you and why, the journal, the audit log, and when what happened to the account",
            "For good. After you have left they hold a number and no name. What staff wrote into the audit log about an act stays as it was written",
          ],
          [
            "Backups",
            "As long as the operator keeps them; what was deleted stays in them until then",
          ],
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
          "to know what we keep of you, and to get a copy of it, also in a form that a program can read;",
          "to have what is wrong corrected;",
          "to have it deleted, or its use restricted, unless a law or your own provable figures need it;",
          "to object to uses that rest on our interest, and to take back a consent for the time to come;",
          "to complain to the data protection authority where you live.",
        ],
      },
      "Your profile has the copy (JSON and CSV in a zip), the corrections, and the way out. Write to us for everything else. We may ask for a sign that you are you, by the e-mail address that we know.",
      `Closing the account asks for your password. What is owed to you is paid out first. Then nobody can sign in; for ${kept.changeOfMindDays} days a link in a mail opens the account again; after that what tells who you are is erased. The entries in the journal stay, under a number without a name.`,
    ],
    bases: [
      "On what it rests",
      "The agreement with you (account, deposits, contracts, withdrawals, mails about them); duties by law (bookkeeping, money laundering); our interest in a service that is not misused (limits, audit log, comparing slips); your consent (newsletter, testimonials, widgets).",
    ],
    children: [
      "Children",
      `The service is for people who are ${w.minimumAge} or older. When we learn that an account belongs to somebody younger, it is closed.`,
    ],
    "privacy-changes": [
      "Changes",
      "A changed text is a new version with a number and a date. Earlier ones stay here and can be compared with it.",
    ],
  });
}
