import type { FaqGroup } from "#core/text/faq-groups.ts";

/** A question with its answer, as the product is delivered. An operator's own version takes its place. */
export interface DefaultFaqEntry {
  /** The address of the entry, `/faq#slug`. It never changes: links lead there. Lower case, digits and hyphens. */
  slug: string;
  question: string;
  /**
   * In simple formatting: paragraphs divided by an empty line, lines that begin with `- `, `**strong**`,
   * `[words](/address)`. Numbers of the terms by their names in braces, `{minimumWithdrawal}`: see
   * core/text/placeholders.ts.
   */
  answer: string;
  /** Words that people search for and the text does not use. They find an operator's own version too. */
  synonyms: string;
  group: FaqGroup;
}

type Ungrouped = Omit<DefaultFaqEntry, "group">;

const service: Ungrouped[] = [
  {
    slug: "what-is-this",
    question: "What is this service?",
    synonyms: "about overview start beginner platform",
    answer: paragraphs(
      "It is an account for hosted Bitcoin mining: an operator runs the machines, and customers hold balances here and buy a share of the machines' work for a term.",
      "You can open an account, deposit coins, buy hashrate for a term, withdraw, and check every figure. See what this site offers, and what it does not, under [What is offered today](/services#today).",
    ),
  },
  {
    slug: "who-may-use-it",
    question: "Who may use the service?",
    synonyms: "age country countries usa america american residents allowed restrictions",
    answer: paragraphs(
      "People who are {minimumAge} or older. The service is not available to US residents.",
      "By registering you confirm both. Before a first contract or withdrawal you tell us which country you live in; a verification proves both.",
    ),
  },
  {
    slug: "what-is-cloud-mining",
    question: "What is cloud mining?",
    synonyms: "hashrate hash power rent machine asic miner explain how works th/s terahash",
    answer: paragraphs(
      "Mining without a machine at home. Bitcoin miners spend electricity on a calculation; the first to solve it may write the next block and is paid in bitcoin. In cloud mining an operator owns and runs the machines, and you buy a part of what they calculate: hashrate, for a term.",
      "You have no noise, heat or repairs. In exchange you depend on the operator. [Services](/services) explains each step and each cost, and the [glossary](/glossary) each word.",
    ),
  },
  {
    slug: "is-profit-guaranteed",
    question: "Is a profit guaranteed?",
    synonyms:
      "roi return yield apy interest earn earnings income profitable worth loss lose risk risks percent",
    answer: paragraphs(
      "No. Nothing is guaranteed here, and no operator can guarantee it: what mining earns depends on the price of bitcoin, the difficulty of the network, the fees in its blocks and the price of power. Mining can cost more than it earns, for a day or for good.",
      "If you read of a fixed percentage per day in our name, it is not from us. The [calculator](/calculator) shows losses as readily as gains, and the [Disclaimer](/terms?tab=disclaimer) names what can go wrong.",
    ),
  },
  {
    slug: "what-is-a-halving",
    question: "What happens at a halving?",
    synonyms: "halved subsidy block reward 2028 supply",
    answer: paragraphs(
      "Every 210,000 blocks, about every four years, the network halves the new bitcoin that a block pays. From that block on the same hashrate earns about half, unless the price rises, the difficulty falls or the fees in blocks grow.",
      "The height is known beforehand, and the [calculator](/calculator) counts with it.",
    ),
  },
  {
    slug: "stocks-leverage-referrals",
    question: "Can I trade stocks, use leverage or earn by referring friends?",
    synonyms:
      "bonus referral affiliate invite promo promotion code trading trade margin staking loan lend exchange swap convert",
    answer:
      "No, and none of it is planned. There is no bonus for bringing others. Conversion between coins at a firm quote is planned and not offered yet.",
  },
  {
    slug: "who-is-behind-it",
    question: "Who is behind this site?",
    synonyms:
      "scam fraud legit legitimate trust safe real fake company owner operator address imprint licence license registered",
    answer:
      "The company that the [About](/about) page names. If it names none, the operator has not entered it: then do not pay anything in. The software is [Assay](/about#software), which anyone can run; it is not the operator.",
  },
];

const account: Ungrouped[] = [
  {
    slug: "how-to-open-an-account",
    question: "How do I open an account?",
    synonyms:
      "register registration sign up signup join create email e-mail verify verification link confirm",
    answer: paragraphs(
      "[Register](/signup) with your first name, last name, e-mail address and a password of at least {minimumPasswordLength}, and accept the [terms](/terms). You are signed in at once.",
      "An e-mail brings a link that verifies your address. It works once, for {verificationLink}; the page it opens can send a new one.",
    ),
  },
  {
    slug: "forgotten-password",
    question: "I forgot my password. What now?",
    synonyms: "reset lost recover recovery login locked out",
    answer: paragraphs(
      "Ask for a link under [Forgot Password](/forgotpassword). It works once, for {resetLink}. Setting a new password signs you out everywhere.",
      "The page answers the same whether or not the address has an account, so that it does not reveal who is a customer.",
    ),
  },
  {
    slug: "why-was-i-signed-out",
    question: "Why am I signed out after a while?",
    synonyms: "session timeout logged out login remember me",
    answer:
      "With Remember Me you stay signed in for {rememberedSession}. Without it the session ends when the browser closes, and after {forgottenSession} at the latest. A new password ends every session.",
  },
  {
    slug: "how-is-my-password-kept",
    question: "How is my account protected?",
    synonyms:
      "2fa mfa two-factor two factor authentication authenticator totp passkey security hack hacked phishing anti-phishing",
    answer: paragraphs(
      "We store passwords only as Argon2id hashes, limit attempts to guess them, and check the session on every request. On the page Security of your account you add two-factor authentication (2FA: an authenticator app, or a passkey if the site has a name and https), and see everything that was done to the account. Withdrawals need it.",
      "Use a password that you use for nothing else. Our staff never ask for it, nor for a private key or a seed phrase.",
    ),
  },
  {
    slug: "verification",
    question: "Will I have to prove who I am?",
    synonyms:
      "kyc aml identity check id identification passport document documents driving licence selfie verify verified",
    answer:
      "Not to deposit. Before a first contract or withdrawal you tell us which country you live in. Above the amounts that the page Verification in your account names, you prove your age and country there with a document. It costs nothing. The [Privacy Policy](/terms?tab=privacy) says how documents are encrypted, who sees them and when they are deleted.",
  },
  {
    slug: "what-about-my-data",
    question: "What data do you keep about me?",
    synonyms: "privacy gdpr personal information cookies tracking export delete",
    answer:
      "What the account needs: name, e-mail address, a hash of the password, sessions, deposits with their slips, contracts, withdrawals with the addresses that you chose, what you show for a verification, and mails to you. Public pages set no cookie and load nothing from other companies. The [Privacy Policy](/terms?tab=privacy) and the [Cookie Policy](/terms?tab=cookies) name each thing, and for how long.",
  },
  {
    slug: "how-to-close-an-account",
    question: "How do I close my account?",
    synonyms: "delete remove cancel leave deactivate",
    answer:
      "On the page Profile of your account, under Your data. We first pay out what we owe you, to your own address and without a fee, bitcoin also below {minimumWithdrawal}. [What is offered today](/services#today) lists the coins that can be withdrawn; an account that holds another stays open until it can. Your entries stay in the ledger under a number without a name.",
  },
];

const deposits: Ungrouped[] = [
  {
    slug: "how-to-deposit",
    question: "How do I make a deposit?",
    synonyms: "fund top up pay in send add money coins bitcoin address qr",
    answer: paragraphs(
      lines(
        "- Open [Deposits](/account/deposit) and choose how you pay. The address is shown with a copy button and a QR code.",
        "- Send the coins from your own wallet. Compare the address again after pasting it.",
        "- If the page says that payments are credited automatically, that is all: yours appears there, with what it still waits for.",
        "- Otherwise submit the payment slip: amount in dollars, method, date, and a picture or PDF of the payment. A member of staff compares it with what arrived.",
      ),
      "We e-mail you when a slip has arrived, and when a deposit was approved or rejected.",
    ),
  },
  {
    slug: "which-coins-and-networks",
    question: "Which coins and networks do you accept?",
    synonyms:
      "btc eth ethereum usdt tether erc20 erc-20 trc20 tron lightning currency currencies supported taken",
    answer: paragraphs(
      "Those that the page [Deposits](/account/deposit) lists: bitcoin on the Bitcoin network and, if this site accepts them, ether on Ethereum and USDT on Ethereum (ERC-20).",
      "Anything else sent to these addresses may be lost for good: another coin, or USDT on another network. If you are unsure, send a small amount first.",
    ),
  },
  {
    slug: "what-is-a-payment-slip",
    question: "What may a payment slip be?",
    synonyms: "upload screenshot proof image file pdf",
    answer: paragraphs(
      "A picture (JPEG, PNG, WebP, HEIC) or a PDF of at most {slipMaxSize} that shows your payment, for instance your wallet's receipt with the transaction id.",
      "We re-encode pictures to remove hidden data such as location. Slips are private, shown to you and to our staff. Every time staff open one, it is logged.",
    ),
  },
  {
    slug: "when-is-a-deposit-credited",
    question: "When is my deposit credited?",
    synonyms: "pending confirmations confirm how long waiting missing not arrived review approved",
    answer: paragraphs(
      "If [Deposits](/account/deposit) says that payments are credited automatically: after the confirmations that it names, or when the network calls the block final. If the network drops that block later, the credit is reversed, and returns with the payment.",
      "Otherwise after a person has compared your slip with the payment that arrived. We promise no time for that. Until then it shows as **Pending**, and your dashboard says how much of the total waits for review.",
      "We credit the quantity of coin that arrived, not the dollar amount that you declared.",
    ),
  },
  {
    slug: "why-was-my-deposit-rejected",
    question: "Why was my deposit rejected?",
    synonyms: "declined refused failed denied",
    answer:
      "The deposit's page and our e-mail give the reason. Nothing was credited for it. If you have paid, submit it again with what the reason asks for; if you do not understand the reason, [write to us](/contact).",
  },
  {
    slug: "does-a-deposit-cost-anything",
    question: "What does a deposit cost?",
    synonyms: "fee fees charge network fee gas minimum deposit",
    answer:
      "We charge nothing. You pay the network fee of your own payment, and your wallet or exchange may charge you.",
  },
  {
    slug: "card-purchases",
    question: "Can I pay by card?",
    synonyms: "credit card debit visa mastercard paypal bank transfer wire sepa apple pay",
    answer:
      "No. Should cards be accepted one day, an account may be held after a purchase by card for up to {cardHold}, because a card payment can be reversed.",
  },
];

const mining: Ungrouped[] = [
  {
    slug: "can-i-buy-a-contract-today",
    question: "Can I buy a mining contract today?",
    synonyms:
      "refund money back return cancel cooling off purchase order plan plans price cost invest hashrate available",
    answer:
      "If hashrate is available, yes. [The plans](/plans) say what is left of each, what it costs, what scenarios come to with the losing ones first, and what past contracts really returned. You pay from your balance at a price that we hold for {quote}. You can return a first contract within {coolingOff} for a full refund.",
  },
  {
    slug: "when-does-mining-start",
    question: "When does mining start, and when are coins credited?",
    synonyms: "payout payouts paid daily begin first day time utc earnings reward",
    answer: paragraphs(
      "Mining starts at {miningDayStart} and coins are credited daily. A mining day is a UTC day, and its credit follows once the pool has paid for it. If the pool pays late, the credit is late; if it pays nothing, nothing is credited.",
      "A contract starts with the UTC day after the purchase; your first one when it can no longer be returned.",
    ),
  },
  {
    slug: "what-is-the-maintenance-fee",
    question: "What is the maintenance fee?",
    synonyms: "electricity power energy cost costs daily fee operating",
    answer: paragraphs(
      "What electricity, premises, cooling and care of the machines cost, as one fee per TH/s per day. We take it from your BTC balance daily, and state it before you buy a contract.",
      "A change needs {maintenanceChangeNotice}' notice. We e-mail everyone who holds a contract on that plan.",
    ),
  },
  {
    slug: "what-if-i-cannot-pay-maintenance",
    question: "What if my balance cannot cover the maintenance fee?",
    synonyms: "cancelled unpaid debt arrears terminate end insufficient low balance",
    answer: paragraphs(
      "A contract is cancelled if the balance cannot cover the maintenance fee for {unpaidMaintenance} (termination clause: {terminationClause}). We tell you when that time starts and how much of it is left; depositing enough stops it.",
      "You keep what a cancelled contract has credited. Its plan states whether we refund the price of days not served. This tends to happen when prices are low, so count with it before you buy.",
    ),
  },
  {
    slug: "fee-without-a-contract",
    question: "Is there a fee when I have no contract?",
    synonyms: "inactivity inactive idle dormant",
    answer: paragraphs(
      "After {inactivityAfter} with no active contract there is a fixed daily fee of {inactivityFee} of the BTC balance, not less than {inactivityFeeMinimum} a day. We announce it {inactivityNotice} before we first take it, and it never takes a balance below the minimum withdrawal.",
      "The days count from the end of your last contract, or from your first credit in BTC. A new contract stops it.",
    ),
  },
  {
    slug: "what-is-account-profit",
    question: "What do Deposit, Account Profit and Total Sum mean?",
    synonyms: "dashboard balance cards negative",
    answer: paragraphs(
      "**Deposit** is the sum in dollars of your deposits that were not rejected, with what still waits for review named under it. **Account Profit** is mining credits minus fees; it starts at {newProfileProfit} and can be negative. **Total Sum** is both together.",
      "These are dollar figures for orientation. What we owe you is the quantity of coin in your balances.",
    ),
  },
];

const withdrawals: Ungrouped[] = [
  {
    slug: "how-to-withdraw",
    question: "How do I withdraw?",
    synonyms: "withdrawal cash out send payout minimum limit fee pending address book how long",
    answer: paragraphs(
      "On the page Withdraw of your account: choose a coin, an address of your address book and an amount, then confirm by the link in our e-mail. You need two-factor authentication, and a new address can be used after a day. Coins leave on the network that the page names.",
      "The minimum withdrawal is {minimumWithdrawal}, the page names it for other coins, and withdrawal requests are processed {withdrawalProcessing}. We deduct our fee from the amount and show it before you confirm.",
    ),
  },
  {
    slug: "payment-before-a-withdrawal",
    question: "Must I pay something before I can withdraw?",
    synonyms: "scam fraud tax unlock fee upgrade blocked advance",
    answer:
      "No, never: no tax, no deposit, no fee, no upgrade. Anyone who asks you to pay before you can withdraw is a scammer, even if they use our name. Do not pay, and [tell us](/contact).",
  },
  {
    slug: "who-holds-the-coins",
    question: "Who holds the coins that I deposit?",
    synonyms: "custody cold hot wallet keys insurance insured safe bankrupt reserves",
    answer:
      "The operator, in wallets whose keys the operator has. No deposit insurance covers them. If the keys are lost or the operator fails, you can lose all of it. The private keys are not on this server.",
  },
];

const checks: Ungrouped[] = [
  {
    slug: "how-to-check-a-balance",
    question: "How do I check my balance?",
    synonyms: "proof evidence receipt recompute stamp hallmark ledger journal audit verify",
    answer: paragraphs(
      "Click the small stamp next to a figure. It opens the evidence: the entries behind a balance, and behind each entry the transfer with both of its sides, the document that caused it, and the seal over it. Try it without an account on the [sample receipt](/receipt).",
      "Entries are only ever added. A mistake is corrected by a second transfer, and both stay visible.",
    ),
  },
  {
    slug: "what-is-a-seal",
    question: "What is a seal?",
    synonyms: "hash sha-256 sha256 fingerprint tamper chain",
    answer: paragraphs(
      "A fingerprint (SHA-256) of all transfers since the last seal, and of that seal. One is made in every minute in which something was written. If anyone changed what a seal covers, the same number would show another hash.",
      "Note the number and hash that your evidence page shows. With it the operator, or an auditor with access, can run **npm run verify -- ledger NUMBER:HASH**, which computes every seal, balance and sum again.",
    ),
  },
  {
    slug: "what-can-a-seal-not-prove",
    question: "What do the ledger and its seals not prove?",
    synonyms: "proof of reserves solvency limits trust",
    answer: paragraphs(
      "That the coins are there. They prove what we owe you and that it was not rewritten. Two members of staff count the wallets, and [the plans](/plans) show the result: that is the operator's word. A public proof of reserves, which you could check yourself, is not offered yet.",
      "Nor can they prove that the operator runs the software as it was published. [About](/about) lists what to ask an operator for.",
    ),
  },
  {
    slug: "can-staff-change-my-balance",
    question: "Can your staff change my balance?",
    synonyms: "admin manipulate edit employee operator",
    answer:
      "No one can type a balance. Staff can approve or reject a deposit against a payment, and two of them together can give you the operator's own coins, with a reason that you can read; the balance follows from the entries. Each staff action adds a line to an audit log, in the same moment or not at all, and the database refuses an approval without one.",
  },
  {
    slug: "where-do-prices-come-from",
    question: "Where do the prices come from?",
    synonyms: "rate rates exchange quote ticker market usd dollar",
    answer:
      "From several public exchanges: the median of those that are fresh and agree, shown with their number and its age. We do not use a price older than {priceMaxAge} to value anything, and the page says so. [Prices](/prices) shows what each exchange said. The ticker shows {tickerSymbols}.",
  },
  {
    slug: "how-to-complain",
    question: "What if something is wrong?",
    synonyms:
      "support help contact complain complaint dispute problem error ticket chat phone refund court",
    answer: paragraphs(
      "[Write to us](/contact) with the number of the deposit or entry. A dispute must be raised within {disputeRaisedWithin}. We answer with an offer within {disputeOfferWithin}, and you can reject it within {disputeRejectionWithin}. You can still go to a court or an authority.",
      "Our liability for damages is limited to {liabilityCap}; your claim to the coins in your balance is not part of that limit.",
    ),
  },
  {
    slug: "what-if-the-operator-cannot-perform",
    question: "What happens in a disaster?",
    synonyms: "force majeure bankruptcy shutdown outage fire war closed",
    answer:
      "Neither side is in breach while something beyond its control keeps it from performing. If such force majeure lasts over {forceMajeure}, either side may end the agreement. You keep the coins in your balance.",
  },
];

/** What /faq shows until an operator changes it, in this order. */
export const defaultFaq: readonly DefaultFaqEntry[] = Object.entries({
  service,
  account,
  deposits,
  mining,
  withdrawals,
  checks,
} satisfies Record<Exclude<FaqGroup, "more">, Ungrouped[]>).flatMap(([group, entries]) =>
  entries.map((entry) => ({ ...entry, group: group as FaqGroup })),
);

function paragraphs(...words: string[]): string {
  return words.join("\n\n");
}

function lines(...words: string[]): string {
  return words.join("\n");
}
