import { offered } from "../offered.ts";
import { securityTerms } from "../people/security-terms.ts";
import type { TermWords } from "../term-words.ts";
import { type LegalDocument, type LegalSection, sections } from "./legal-document.ts";
import { numbersSections } from "./terms-numbers.ts";

/** The Terms & Condition: what a customer accepts at sign-up. */
export function termsText(w: TermWords): LegalDocument {
  return {
    id: "terms",
    title: "Terms & Condition",
    opening: [
      "These are the terms of this service. They are meant to be read: every number in them stands once more in the [last sections](#numbers), and every change to them can be [compared](#changes) with what stood before.",
      "Some sections are about things that are not offered yet. Each of them says so. [What is offered today](#offered) is the list.",
    ],
    sections: [
      ...agreement(w),
      ...account(w),
      ...service(w),
      ...deposits(w),
      ...contracts(w),
      ...fees(w),
      ...withdrawals(w),
      ...records(),
      ...disputes(w),
      ...ending(w),
      ...numbersSections(w),
    ],
  };
}

function agreement(w: TermWords): LegalSection[] {
  return sections({
    agreement: [
      "The agreement",
      "“We” are the operator of this site: the company or person named on the [About](/about) page, where the operator has entered it. “You” are the person who opens an account.",
      "You accept these terms by ticking the box at sign-up. The time is kept with your account; the version in force at that time is the one you accepted. Every version stays readable on this page.",
      "The [Privacy Policy](/terms?tab=privacy), the [Cookie Policy](/terms?tab=cookies) and the [Disclaimer](/terms?tab=disclaimer) belong to these terms. Where words are unclear, the reading that is better for you counts.",
    ],
    eligibility: [
      "Who may use the service",
      {
        list: [
          `You are at least ${w.minimumAge} years old.`,
          "You are not a resident of the United States. The service is not available to US residents.",
          "You are not named on a sanctions list, and the law of the place where you live does not forbid you this service.",
          "You act for yourself, with money that is yours. One person has one account.",
        ],
      },
      "At sign-up you confirm this yourself. Before a first contract or withdrawal you say which country you live in. On the page Verification you can prove age and country with a document; that page says what each level allows, before it asks for anything.",
      "When it turns out that you may not use the service, we may close the account. Coins in its balance stay yours and are to be returned to you, unless the law forbids it.",
    ],
  });
}

function account(w: TermWords): LegalSection[] {
  return sections({
    account: [
      "Your account",
      "An account needs a first name, a last name, an e-mail address that you can read, and a password. Give us what is true, and tell us when it changes.",
      {
        list: [
          `The password has at least ${w.minimumPasswordLength} and at most ${w.maximumPasswordLength}. Use it nowhere else, and give it to nobody.`,
          `The link that verifies your address works once, for ${w.verificationLink}. A link that resets your password works once, for ${w.resetLink}, and setting a new password signs you out everywhere.`,
          `With Remember Me you stay signed in for ${w.rememberedSession}; without it until the browser closes, and ${w.forgottenSession} at most.`,
        ],
      },
      "Our staff never ask for your password, for a private key or a seed phrase, or for a payment so that money can leave. Whoever asks for one of these is not us, or is not honest.",
      "What is done with your password counts as done by you until you tell us that somebody else has it. Tell us at once, and set a new password: that ends every session.",
    ],
  });
}

function service(w: TermWords): LegalSection[] {
  return sections({
    service: [
      "What this service is, and what it is not",
      "This site keeps accounts for hosted Bitcoin mining. The operator owns or rents machines; customers hold balances here, and buy a share of the machines' work for a term.",
      {
        list: [
          "It is no bank. No deposit insurance covers a balance here.",
          "It is no exchange, broker, fund or adviser. No stocks can be traded here, and nothing here is advice to invest.",
          "It lends nothing, and offers no leverage.",
          "It guarantees no return, and pays no interest on a balance.",
          "It pays nobody for bringing other customers.",
        ],
      },
      "The heading and the tagline of the landing page describe the kind of service. They are no warranty. What is owed is what these terms say.",
    ],
    offered: [
      "What is offered today",
      {
        head: ["Part of the service", "Today"],
        rows: offered.map(({ part, today }) => [part, today]),
      },
      "“Not offered yet” means that it cannot be used today and that no day is promised. “Differs by site” means that it depends on what this operator has set up: the page [Services](/services#today) names what can be had on this site now. Read it before you deposit.",
    ],
    availability: [
      "When the site is down",
      "The site can be down for maintenance or by a fault. No uptime is promised for it. A balance does not depend on the site being reachable: it is the sum of entries that are already written.",
      `Prices on this site come from public exchanges, show their age, and can be wrong or missing. A price older than ${w.priceMaxAge} is not used to value or convert anything.`,
    ],
  });
}

function deposits(w: TermWords): LegalSection[] {
  return sections({
    deposits: [
      "Deposits",
      "You send coins from your own wallet to the address that the deposit page shows.",
      {
        list: [
          "The methods are those that the page Deposits lists: Bitcoin and, where this site takes them, Ethereum and USDT. USDT is taken on the Ethereum network (ERC-20) only.",
          "Coins of another kind, or on another network, may be lost for good. We owe nothing for coins that never arrived.",
          `A slip is a JPEG, PNG, WebP, HEIC or PDF file of at most ${w.slipMaxSize}.`,
          "The payment must be your own. A false slip is a reason to close the account.",
        ],
      },
      "Where the deposit page says that payments are credited by themselves, one to an address of yours needs no slip. It is credited once it has the confirmations that the page names, or once the network calls its block final.",
      "Every other payment needs the payment slip: amount in US dollars, method, date, and a picture or PDF of the payment. Such a deposit is a claim, and shows as Pending. A member of staff compares it with the payment that arrived, then approves it or rejects it with a reason. You are told by e-mail either way. No time is promised for the review.",
      "When a payment leaves the chain after it was credited, the credit is taken back by a second transfer that you see beside the first. No balance goes below zero for it: if you have used coins of it, what is left of them is held until there is enough. When the payment confirms again, it is credited again.",
      "What is credited is the quantity of coin that arrived, not the dollar amount that was declared. The dollar amount is kept beside it; when a reviewer corrects it, you see both.",
      "Network fees of your own payment are yours. We charge no fee on a deposit.",
    ],
    cards: [
      "Purchases by card",
      "Cards are not accepted today. Should they be, one clause already stands: because a card payment can be called back, an account may be held after a purchase by card for up to " +
        `${w.cardHold}. Such a hold has a reason and an end that you can see, and ends by itself.`,
    ],
  });
}

function contracts(w: TermWords): LegalSection[] {
  return sections({
    contracts: [
      "Mining contracts",
      {
        list: [
          "A contract is hashrate for a term. Its plan states the hashrate, the term, the price and the maintenance fee before you buy. No plan states a yield.",
          `You pay in a coin of your balance, at a price that you are shown and that stands for ${w.quote}. The coins are rounded up to the smallest unit. Until you press the button that buys, nothing is taken.`,
          "The version of these terms that you accept with a purchase is kept with the contract, with its hash and the time. A contract is bought under a version of its plan, and keeps that version.",
          `Your first contract can be given back for ${w.coolingOff} after the purchase, without a reason and in full. It starts at the first 00:00 UTC after that. Every other contract starts with the UTC day after the purchase, and cannot be given back.`,
          "More hashrate than the operator has is not sold.",
          `A mining day is a UTC day. Mining starts at ${w.miningDayStart}, and coins are credited daily, once for each day.`,
          "A day's credit is your share, rounded down, of what a mining pool really paid for that day. Where the pool pays late, the credit is late; where it pays nothing, nothing is credited.",
          "When less hashrate was delivered than was sold, the contract is extended by what was missing, in whole days and in your favour. The maintenance fee is taken on those days, too.",
          "When a pool turns out to have paid another amount, the credit is corrected by a second transfer that you see beside the first. What you were credited too much is taken back only as far as your balance goes.",
          "A contract ends when its term is served. It ends earlier only when its maintenance is not paid.",
          "A contract can end with a loss: what it credits can be worth less than what it cost.",
        ],
      },
    ],
    maintenance: [
      "Maintenance fee and cancellation",
      "A maintenance fee pays for electricity, premises, cooling and care of the machines. It is stated in dollars per unit of hashrate and day, and is taken from your BTC balance daily, at the price of that day.",
      `The fee changes with at least ${w.maintenanceChangeNotice}' notice. You are told when a change is scheduled, and an earlier date is not possible.`,
      `If your balance cannot cover the maintenance fee for ${w.unpaidMaintenance}, the contract is cancelled. This termination clause runs for ${w.terminationClause}: you are told when it starts, the time that is left is shown, and paying in enough stops it.`,
      "The clause stands still from the end of each day (UTC) until that day's credits and fees are worked out. A contract is not cancelled while a day that is over is not, whoever is the reason.",
      "A cancelled contract earns nothing any more. Coins that it has credited stay in your balance. Whether the part of its price for days not served is paid back is stated in its plan, before you buy. Unpaid fees lapse with it.",
    ],
  });
}

function fees(w: TermWords): LegalSection[] {
  return sections({
    inactivity: [
      "Fixed daily fee without a contract",
      `After ${w.inactivityAfter} with no active contract, a fixed daily fee of ${w.inactivityFee} of the balance applies, and not less than ${w.inactivityFeeMinimum} a day.`,
      `It is taken from BTC balances only, it is announced at least ${w.inactivityNotice} before it is taken for the first time, and it never takes a balance below the minimum withdrawal of ${w.minimumWithdrawal}. The days count from the end of your last contract, or from your first credit in BTC if you never had one; a new contract stops it.`,
    ],
    "other-fees": [
      "Other fees",
      "There are none. Opening, keeping and closing an account cost nothing. No fee must ever be paid in before money can go out.",
      "Your own bank, exchange or wallet may charge you. That is between you and them.",
    ],
    taxes: [
      "Taxes",
      "Taxes on what you earn, buy or sell are yours to declare. We give no advice on tax.",
    ],
  });
}

function withdrawals(w: TermWords): LegalSection[] {
  return sections({
    withdrawals: [
      "Withdrawals",
      "Bitcoin can be withdrawn. So can Ether and USDT, on the Ethereum network only, where the page [Services](/services#today) says that this site pays them out; elsewhere they cannot be withdrawn, only pay for contracts.",
      {
        list: [
          `The minimum withdrawal is ${w.minimumWithdrawal}; of Ether and USDT the page Withdraw names it. When an account is closed, what is left is paid out even below it.`,
          `Withdrawal requests are processed ${w.withdrawalProcessing}: a request of one UTC day leaves with the batch of the day after it.`,
          "A fee is taken from the amount, in the coin that you withdraw, and is shown before you ask and again before you confirm. What the networks charge we pay, USDT's in Ether of our own. Nothing is to be paid in first.",
          "A payment that the chain refuses, or that can never confirm any more, comes back to your balance as a whole.",
          "A new address can be paid 24 hours after you added it. You confirm each withdrawal by a link that is mailed to you, and can cancel it until it is in a batch.",
          `A second factor on your account is needed. For ${securityTerms.changeHoldHours} hours after a changed password, e-mail address or second factor nothing leaves.`,
          "You name the address. A payment to an address on a chain cannot be called back; check every character.",
          "Before a first withdrawal you say which country you live in. Beyond the amount that the page Verification names, your age and country are verified first. A verification costs nothing.",
        ],
      },
    ],
    holds: [
      "Holds and refusals",
      "Our staff can hold a withdrawal before it is in a batch. A hold states its reason, who placed it and the day on which it ends, at most 30 days after the first one began, and ends by itself. Until it does you can cancel the withdrawal.",
      "An account can be frozen: by you, with the link in a mail about security, or by our staff, with a reason that you read. Until it is opened again nobody can sign in, and nothing can be changed or paid out.",
      "Where the law obliges us to freeze, report or refuse, we do. We tell you, unless the law forbids that too.",
    ],
  });
}

function records(): LegalSection[] {
  return sections({
    records: [
      "Figures and their correction",
      "Balances are sums of entries in a double-entry journal. Nobody, staff included, can type a balance; entries are added and never changed. Each entry opens its evidence, and each change by staff leaves a line in an audit log.",
      "A mistake is corrected by a second transfer that points to the first. You see both. When the journal and a page disagree, the journal counts; when the journal and the facts disagree, it is corrected to the facts, in your favour or against it.",
      "Dollar figures are information: balances are owed in coin.",
    ],
    conduct: [
      "What you must not do",
      {
        list: [
          "use the service for what is against the law, or with what others have lost by crime;",
          "pretend to be somebody else, or let somebody else use your account;",
          "send files or requests that are meant to harm the service or other people;",
          "read or try to read what belongs to other customers.",
        ],
      },
      "Looking for weaknesses on accounts of your own, without harm to others, and telling us first is welcome.",
    ],
  });
}

function disputes(w: TermWords): LegalSection[] {
  return sections({
    disputes: [
      "Complaints and disputes",
      "Write to us by the [contact page](/contact) or by e-mail. Say what happened, when, and what you want. The entry or deposit that it is about has a number; give us that.",
      {
        list: [
          `You raise a dispute within ${w.disputeRaisedWithin} of the day on which you could first see what it is about.`,
          `We answer it with an offer within ${w.disputeOfferWithin}.`,
          `You can reject the offer within ${w.disputeRejectionWithin}. Silence is no consent: an offer that you do not accept lapses.`,
        ],
      },
      "None of this takes away your right to go to a court, to a supervisory authority, or to a body for consumers' disputes where there is one. Rights that the law gives you for longer last longer.",
    ],
    liability: [
      "Liability",
      `Our liability to you for all damages together is limited to ${w.liabilityCap}.`,
      "The limit does not reduce your claim to the coins in your balance. It does not apply to intent or gross negligence, to injury to life or health, or where the law does not allow it.",
      "We are not liable for what lies outside our hands: the price of a coin, the difficulty of the network, the failure of a pool, of your wallet or of a chain, and payments that you sent to a wrong place.",
    ],
    "force-majeure": [
      "Force majeure",
      `Neither side is in breach while it cannot perform because of something beyond its control that care would not have prevented: war, disaster, a failure of the power grid or of a network, an act of an authority. If that lasts over ${w.forceMajeure}, either side may end the agreement. Coins in your balance stay yours.`,
    ],
  });
}

function ending(w: TermWords): LegalSection[] {
  return sections({
    ending: [
      "Ending the agreement",
      "You may end it at any time, on the page Profile of your account or by writing to us. A running contract is served first: an account closes once nothing is owed to it. We may end it for a reason that we name: a breach of these terms, a duty by law, or the end of the service.",
      `What your balance holds is then to be paid out to you, also below the minimum withdrawal of ${w.minimumWithdrawal}, to an address that you name. Your entries stay in the journal, because nothing is ever taken out of it; the [Privacy Policy](/terms?tab=privacy) says what that means.`,
    ],
    changes: [
      "Changes to these terms",
      "A changed text is a new version with a number, a date and a hash. Earlier versions stay on this page, and any of them can be compared with the present one, word by word.",
      "A new version applies to what you do from its date on. A running contract keeps the terms under which it was bought. If you do not agree, you may end the agreement.",
    ],
    software: [
      "The software",
      "The site runs Assay, free software under the GNU Affero General Public License, version 3 or later. Whoever runs a changed copy for customers must offer them its source. A copy can be changed for the worse, too: [check the figures](/about#check), not the name.",
    ],
    law: [
      "Law",
      "The law of the place where the operator is established applies, and its courts are competent. A consumer keeps the protection of the mandatory law of the place where he lives, and may go to the courts there.",
      "Should one sentence of these terms be void, the others stand.",
    ],
  });
}
