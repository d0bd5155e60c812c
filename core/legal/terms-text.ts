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
      "These are the terms of this service. We wrote them to be read: the [last sections](#numbers) list every number once more, and you can [compare](#changes) every version with the one before.",
      "Some sections are about things that we do not offer yet. Each of them says so. [What is offered today](#offered) is the list.",
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
      "You accept these terms by ticking the box at sign-up. We keep the time with your account; the version in force at that time is the one you accepted. You can read every version on this page.",
      "The [Privacy Policy](/terms?tab=privacy), the [Cookie Policy](/terms?tab=cookies) and the [Disclaimer](/terms?tab=disclaimer) belong to these terms. Where a text is unclear, the reading that is better for you applies.",
    ],
    eligibility: [
      "Requirements for an account",
      {
        list: [
          `You are at least ${w.minimumAge} years old.`,
          "You are not a resident of the United States. The service is not available to US residents.",
          "You are not named on a sanctions list, and the law of the place where you live does not forbid you this service.",
          "You act for yourself, with your own money. One person has one account.",
        ],
      },
      "At sign-up you confirm this yourself. Before a first contract or withdrawal you say which country you live in. On the page Verification you can prove age and country with a document; that page says what each level allows, before it asks for anything.",
      "When it turns out that you may not use the service, we may close the account. Coins in its balance stay yours, and we return them to you unless the law forbids it.",
    ],
  });
}

function account(w: TermWords): LegalSection[] {
  return sections({
    account: [
      "Your account",
      "An account needs a first name, a last name, an e-mail address that you can read, and a password. Give us correct details, and tell us when they change.",
      {
        list: [
          `The password has at least ${w.minimumPasswordLength} and at most ${w.maximumPasswordLength}. Use it nowhere else, and never share it.`,
          `The link that verifies your address works once, for ${w.verificationLink}. A link that resets your password works once, for ${w.resetLink}, and setting a new password signs you out everywhere.`,
          `With Remember Me you stay signed in for ${w.rememberedSession}; without it until the browser closes, and ${w.forgottenSession} at most.`,
        ],
      },
      "Our staff never ask for your password, for a private key or a seed phrase, or for a payment before you can withdraw. Anyone who asks for one of these is a scammer, even if they use our name.",
      "You are responsible for what happens with your password until you tell us that someone else has it. Tell us at once, and set a new password: that ends every session.",
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
          "It does not pay for bringing other customers.",
        ],
      },
      "The heading and the tagline of the landing page describe the kind of service. They are no warranty. We owe what these terms say.",
    ],
    offered: [
      "What is offered today",
      {
        head: ["Part of the service", "Today"],
        rows: offered.map(({ part, today }) => [part, today]),
      },
      "“Not offered yet” means that you cannot use it today and that we promise no date. “Differs by site” means that it depends on what this operator has set up: the page [Services](/services#today) names what this site offers now. Read it before you deposit.",
    ],
    availability: [
      "When the site is down",
      "The site can be down for maintenance or by a fault. We promise no uptime for it. A balance does not depend on the site being reachable: it is the sum of entries in the ledger.",
      `Prices on this site come from public exchanges, show their age, and can be wrong or missing. We do not use a price older than ${w.priceMaxAge} to value or convert anything.`,
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
          "The page Deposits lists the methods: Bitcoin and, where this site takes them, Ethereum and USDT. We take USDT on the Ethereum network (ERC-20) only.",
          "Coins of another kind, or on another network, may be lost for good. We owe nothing for coins that never arrived.",
          `A slip is a JPEG, PNG, WebP, HEIC or PDF file of at most ${w.slipMaxSize}.`,
          "The payment must be your own. A false slip is a reason to close the account.",
        ],
      },
      "Where the deposit page says that we credit payments automatically, a payment to your own address needs no slip. We credit it once it has the confirmations that the page names, or once the network calls its block final.",
      "Every other payment needs the payment slip: amount in US dollars, method, date, and a picture or PDF of the payment. Such a deposit is a claim, and shows as Pending. A member of staff compares it with the payment that arrived, then approves it or rejects it with a reason. We e-mail you either way. We promise no time for the review.",
      "When a payment leaves the chain after we credited it, we reverse the credit by a second transfer, and you see both. No balance goes below zero for it: if you have used part of the coins, we hold the rest until there is enough. When the payment confirms again, we credit it again.",
      "We credit the quantity of coin that arrived, not the dollar amount that you declared. We keep the dollar amount with it; if a reviewer corrects it, you see both.",
      "You pay the network fee of your own payment. We charge no fee on a deposit.",
    ],
    cards: [
      "Purchases by card",
      "We do not accept cards today. If we do, one clause applies: because a card payment can be reversed, we may hold an account after a purchase by card for up to " +
        `${w.cardHold}. Such a hold has a reason and an end that you can see, and ends automatically.`,
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
          `You pay in a coin of your balance, at a price that we show you and hold for ${w.quote}. We round the coins up to the smallest unit. You pay nothing until you confirm.`,
          "We keep with the contract the version of these terms that you accept with the purchase, its hash and the time. A contract keeps the version of its plan under which you bought it.",
          `You can return your first contract for ${w.coolingOff} after the purchase, without a reason and for a full refund. It starts at the first 00:00 UTC after that. Every other contract starts with the UTC day after the purchase, and cannot be returned.`,
          "We do not sell more hashrate than the operator has.",
          `A mining day is a UTC day. Mining starts at ${w.miningDayStart}, and coins are credited daily, once for each day.`,
          "A day's credit is your share, rounded down, of what a mining pool really paid for that day. Where the pool pays late, the credit is late; where it pays nothing, we credit nothing.",
          "When we deliver less hashrate than we sold, we extend the contract by what was missing, in whole days rounded in your favour. You pay the maintenance fee on those days, too.",
          "When a pool turns out to have paid another amount, we correct the credit by a second transfer, and you see both. We reverse an excess credit only as far as your balance goes.",
          "A contract ends when its term is served. It ends earlier only when its maintenance fee is not paid.",
          "A contract can end with a loss: its credits can be worth less than its price and fees.",
        ],
      },
    ],
    maintenance: [
      "Maintenance fee and cancellation",
      "A maintenance fee pays for electricity, premises, cooling and care of the machines. We state it in dollars per unit of hashrate and day, and take it from your BTC balance daily, at the price of that day.",
      `The fee changes with at least ${w.maintenanceChangeNotice}' notice. We tell you when we schedule a change, and an earlier date is not possible.`,
      `If your balance cannot cover the maintenance fee for ${w.unpaidMaintenance}, the contract is cancelled. This termination clause runs for ${w.terminationClause}: we tell you when it starts, show the time that is left, and a sufficient deposit stops it.`,
      "The clause pauses from the end of each day (UTC) until we have settled that day's credits and fees. We do not cancel a contract while a past day is not settled, for whatever reason.",
      "A cancelled contract earns nothing any more. Its credits stay in your balance. Its plan states, before you buy, whether we refund the price of days not served. Unpaid fees lapse with it.",
    ],
  });
}

function fees(w: TermWords): LegalSection[] {
  return sections({
    inactivity: [
      "Fixed daily fee without a contract",
      `After ${w.inactivityAfter} with no active contract, a fixed daily fee of ${w.inactivityFee} of the balance applies, and not less than ${w.inactivityFeeMinimum} a day.`,
      `We take it from BTC balances only, announce it at least ${w.inactivityNotice} before we take it for the first time, and never take a balance below the minimum withdrawal of ${w.minimumWithdrawal}. The days count from the end of your last contract, or from your first credit in BTC if you never had one; a new contract stops it.`,
    ],
    "other-fees": [
      "Other fees",
      "There are none. Opening, keeping and closing an account cost nothing. You never have to pay a fee before you can withdraw.",
      "Your own bank, exchange or wallet may charge you. That is between you and them.",
    ],
    taxes: [
      "Taxes",
      "You declare your own taxes on what you earn, buy or sell. We give no advice on tax.",
    ],
  });
}

function withdrawals(w: TermWords): LegalSection[] {
  return sections({
    withdrawals: [
      "Withdrawals",
      "Bitcoin can be withdrawn. So can Ether and USDT, on the Ethereum network only, where the page [Services](/services#today) says that this site pays them out; elsewhere you can only use them to pay for contracts.",
      {
        list: [
          `The minimum withdrawal is ${w.minimumWithdrawal}; the page Withdraw names that of Ether and USDT. When you close the account, we pay out what is left, also below the minimum.`,
          `Withdrawal requests are processed ${w.withdrawalProcessing}: a request of one UTC day leaves with the batch of the day after it.`,
          "We deduct a fee from the amount, in the coin that you withdraw, and show it before you request and again before you confirm. We pay the network fees, those of USDT in our own Ether. You pay nothing in advance.",
          "If the chain refuses a payment, or it can never confirm any more, we return all of it to your balance.",
          "You can withdraw to a new address 24 hours after you added it. You confirm each withdrawal by a link that we e-mail you, and can cancel it until it is in a batch.",
          `You need two-factor authentication. Withdrawals are paused for ${securityTerms.changeHoldHours} hours after you change your password, e-mail address or two-factor authentication.`,
          "You name the address. A payment on a chain cannot be reversed; check every character.",
          "Before a first withdrawal you declare which country you live in. Beyond the amount that the page Verification names, we verify your age and country first. A verification costs nothing.",
        ],
      },
    ],
    holds: [
      "Holds and refusals",
      "Our staff can hold a withdrawal before it is in a batch. A hold states its reason, who placed it and the day on which it ends, at most 30 days after the first one began, and ends automatically. Until then you can cancel the withdrawal.",
      "You can freeze your account with the link in an e-mail about security. Our staff can freeze it, too, for a reason that we tell you. Until it is open again no one can sign in, change anything or withdraw.",
      "Where the law obliges us to freeze, report or refuse, we do. We tell you, unless the law forbids that too.",
    ],
  });
}

function records(): LegalSection[] {
  return sections({
    records: [
      "Figures and their correction",
      "Balances are sums of entries in a double-entry ledger. No one, staff included, can type a balance; entries are added and never changed. Each entry opens its evidence, and each change by staff leaves a line in an audit log.",
      "We correct a mistake by a second transfer that points to the first. You see both. When the ledger and a page disagree, the ledger applies; when the ledger and the facts disagree, we correct it to the facts, in your favour or not.",
      "Dollar figures are information: we owe balances in coin.",
    ],
    conduct: [
      "What you must not do",
      {
        list: [
          "use the service for anything illegal, or with the proceeds of crime;",
          "pretend to be someone else, or let someone else use your account;",
          "send files or requests that are meant to harm the service or other people;",
          "read or try to read the data of other customers.",
        ],
      },
      "You are welcome to look for weaknesses on your own accounts, without harm to others, if you tell us first.",
    ],
  });
}

function disputes(w: TermWords): LegalSection[] {
  return sections({
    disputes: [
      "Complaints and disputes",
      "Write to us by the [contact page](/contact) or by e-mail. Say what happened, when, and what you want. Give us the number of the entry or deposit that it is about.",
      {
        list: [
          `You raise a dispute within ${w.disputeRaisedWithin} of the day on which you could first see its cause.`,
          `We answer it with an offer within ${w.disputeOfferWithin}.`,
          `You can reject the offer within ${w.disputeRejectionWithin}. Silence is no consent: an offer that you do not accept lapses.`,
        ],
      },
      "None of this takes away your right to go to a court, to a supervisory authority, or to a body for consumers' disputes where there is one. Where the law gives you more time, you have that time.",
    ],
    liability: [
      "Liability",
      `Our liability to you for all damages together is limited to ${w.liabilityCap}.`,
      "The limit does not reduce your claim to the coins in your balance. It does not apply to intent or gross negligence, to injury to life or health, or where the law does not allow it.",
      "We are not liable for what we cannot control: the price of a coin, the difficulty of the network, the failure of a pool, of your wallet or of a chain, and payments that you sent to a wrong address.",
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
      "You may end it at any time, on the page Profile of your account or by writing to us. We serve a running contract first: an account closes once we owe it nothing. We may end it for a reason that we name: a breach of these terms, a duty by law, or the end of the service.",
      `We then pay out your balance, also below the minimum withdrawal of ${w.minimumWithdrawal}, to an address that you name. Your entries stay in the ledger, because we never remove anything from it; the [Privacy Policy](/terms?tab=privacy) says what that means.`,
    ],
    changes: [
      "Changes to these terms",
      "A changed text is a new version with a number, a date and a hash. Earlier versions stay on this page, and you can compare any of them with the present one, word by word.",
      "A new version applies to what you do from its date on. A running contract keeps the terms under which you bought it. If you do not agree, you may end the agreement.",
    ],
    software: [
      "The software",
      "The site runs Assay, free software under the GNU Affero General Public License, version 3 or later. An operator who runs a changed copy for customers must offer them its source. A copy can be worse, too: [check the figures](/about#check), not the name.",
    ],
    law: [
      "Law",
      "The law of the place where the operator is established applies, and its courts are competent. Consumers keep the protection of the mandatory law of the place where they live, and may go to the courts there.",
      "If one sentence of these terms is void, the others remain valid.",
    ],
  });
}
