/** A question with its answer, as the product is delivered. An operator's own version takes its place. */
export interface DefaultFaqEntry {
  /** The address of the entry, `/faq#slug`. It never changes: links lead there. Lower case, digits and hyphens. */
  slug: string;
  question: string;
  /**
   * In simple formatting: paragraphs divided by an empty line, lines that begin with `- `, `**strong**`,
   * `[words](/address)`. Numbers of the terms by their names in braces, `{minimumWithdrawal}`: see
   * core/placeholders.ts.
   */
  answer: string;
}

/** What stands on /faq until an operator writes it anew, in this order. */
export const defaultFaq: readonly DefaultFaqEntry[] = [
  {
    slug: "what-is-this",
    question: "What is this service?",
    answer: paragraphs(
      "It keeps accounts for hosted Bitcoin mining: an operator runs the machines, and customers hold balances here and buy a share of the machines' work for a term.",
      "You can open an account, deposit coins, buy hashrate for a term, withdraw, and check every figure. What this site offers, and what not, is listed under [What is offered today](/services#today).",
    ),
  },
  {
    slug: "who-may-use-it",
    question: "Who may use the service?",
    answer: paragraphs(
      "People who are {minimumAge} or older. The service is not available to US residents.",
      "By registering you confirm both. Before a first contract or withdrawal you say which country you live in; a verification proves both.",
    ),
  },
  {
    slug: "what-is-cloud-mining",
    question: "What is cloud mining?",
    answer: paragraphs(
      "Mining without a machine at home. Bitcoin miners spend electricity on a calculation; who solves it first may write the next block and is paid in bitcoin. In cloud mining somebody else owns and runs the machines, and you buy a part of what they calculate: hashrate, for a term.",
      "You are spared the noise, the heat and the repairs. In exchange you depend on the operator. [Services](/services) explains each step and each cost.",
    ),
  },
  {
    slug: "is-profit-guaranteed",
    question: "Is a profit guaranteed?",
    answer: paragraphs(
      "No. Nothing is guaranteed here, and nobody can guarantee it: what mining brings depends on the price of bitcoin, the difficulty of the network, the fees in its blocks and the price of power. Mining can cost more than it brings, for a day or for good.",
      "Where you read of a sure percentage per day in our name, it is not ours. The [Disclaimer](/terms?tab=disclaimer) names what can go wrong.",
    ),
  },
  {
    slug: "can-i-buy-a-contract-today",
    question: "Can I buy a mining contract today?",
    answer:
      "Where hashrate is free, yes. [The plans](/plans) say what is left of each, what it costs, what scenarios come to with the losing ones first, and what past contracts really returned. You pay from your balance at a price that stands for {quote}. A first contract can be given back for {coolingOff}.",
  },
  {
    slug: "how-to-open-an-account",
    question: "How do I open an account?",
    answer: paragraphs(
      "[Register](/signup) with your first name, last name, e-mail address and a password of at least {minimumPasswordLength}, and accept the [terms](/terms). You are signed in at once.",
      "A mail brings a link that verifies your address. It works once, for {verificationLink}; the page behind it can send a new one.",
    ),
  },
  {
    slug: "forgotten-password",
    question: "I forgot my password. What now?",
    answer: paragraphs(
      "Ask for a link under [Forgot Password](/forgotpassword). It works once, for {resetLink}. Setting a new password signs you out everywhere.",
      "The page answers the same whether or not the address has an account, so that nobody can find out who is a customer.",
    ),
  },
  {
    slug: "why-was-i-signed-out",
    question: "Why am I signed out after a while?",
    answer:
      "With Remember Me you stay signed in for {rememberedSession}. Without it the session ends when the browser closes, and after {forgottenSession} at the latest. A new password ends every session.",
  },
  {
    slug: "how-to-deposit",
    question: "How do I make a deposit?",
    answer: paragraphs(
      lines(
        "- Open [Deposits](/account/deposit) and choose how you pay. The address is shown with a copy button and a QR code.",
        "- Send the coins from your own wallet. Compare the address again after pasting it.",
        "- Where the page says that payments are credited by themselves, that is all: yours appears there, with what it still waits for.",
        "- Otherwise submit the payment slip: amount in dollars, method, date, and a picture or PDF of the payment. A member of staff compares it with what arrived.",
      ),
      "You are told by mail when a slip came in, and when a deposit was approved or rejected.",
    ),
  },
  {
    slug: "which-coins-and-networks",
    question: "Which coins and networks are taken?",
    answer: paragraphs(
      "Those that the page [Deposits](/account/deposit) lists: bitcoin on the Bitcoin network and, where this site takes them, ether on Ethereum and USDT on Ethereum (ERC-20).",
      "Anything else sent to these addresses may be lost for good: another coin, or USDT on another network. If you are unsure, send a small amount first.",
    ),
  },
  {
    slug: "what-is-a-payment-slip",
    question: "What may a payment slip be?",
    answer: paragraphs(
      "A picture (JPEG, PNG, WebP, HEIC) or a PDF of at most {slipMaxSize} that shows your payment, for instance your wallet's receipt with the transaction id.",
      "Pictures are drawn anew without their hidden data, such as place and device. Slips are kept privately and shown to you and to our staff, and each look by staff is written down.",
    ),
  },
  {
    slug: "when-is-a-deposit-credited",
    question: "When is my deposit credited?",
    answer: paragraphs(
      "Where [Deposits](/account/deposit) says that payments are credited by themselves: after the confirmations that it names, or when the network calls the block final. If the network drops that block later, the credit is taken back, and comes again with the payment.",
      "Otherwise after a person has compared your slip with the payment that arrived. No time is promised for that. Until then it shows as **Pending**, and your dashboard says how much of the total waits for review.",
      "What is credited is the quantity of coin that arrived, not the dollar amount that you declared.",
    ),
  },
  {
    slug: "why-was-my-deposit-rejected",
    question: "Why was my deposit rejected?",
    answer:
      "The reason stands beside the deposit and in the mail. Nothing was credited for it. If you have paid, submit it again with what the reason asks for; if you do not understand the reason, [write to us](/contact).",
  },
  {
    slug: "does-a-deposit-cost-anything",
    question: "What does a deposit cost?",
    answer:
      "We charge nothing. The network's fee of your own payment is yours, and your wallet or exchange may charge you.",
  },
  {
    slug: "when-does-mining-start",
    question: "When does mining start, and when are coins credited?",
    answer: paragraphs(
      "Mining starts at {miningDayStart} and coins are credited daily. A mining day is a UTC day, and its credit follows once the pool has paid for it. Where the pool pays late, the credit is late; where it pays nothing, nothing is credited.",
      "A contract starts with the UTC day after the purchase; your first one when it can no longer be given back.",
    ),
  },
  {
    slug: "what-is-the-maintenance-fee",
    question: "What is the maintenance fee?",
    answer: paragraphs(
      "What electricity, premises, cooling and care of the machines cost, as one fee per unit of hashrate and day. It is taken from your BTC balance daily, and stated before you buy a contract.",
      "A change needs {maintenanceChangeNotice}' notice. Whoever runs the plan is told by mail.",
    ),
  },
  {
    slug: "what-if-i-cannot-pay-maintenance",
    question: "What if my balance cannot cover the maintenance fee?",
    answer: paragraphs(
      "A contract is cancelled if the balance cannot cover the maintenance fee for {unpaidMaintenance} (termination clause: {terminationClause}). You are told when that time starts and see what is left of it; paying in enough stops it.",
      "What a cancelled contract has credited stays yours. Whether the price of days not served is paid back is stated in its plan. That tends to happen when prices are low, so count with it before you buy.",
    ),
  },
  {
    slug: "fee-without-a-contract",
    question: "Is there a fee when I have no contract?",
    answer: paragraphs(
      "After {inactivityAfter} with no active contract there is a fixed daily fee of {inactivityFee} of the BTC balance, not less than {inactivityFeeMinimum} a day. It is announced {inactivityNotice} before it is first taken, and it never takes a balance below the minimum withdrawal.",
      "The days count from the end of your last contract, or from your first credit in BTC. A new contract stops it.",
    ),
  },
  {
    slug: "how-to-withdraw",
    question: "How do I withdraw?",
    answer: paragraphs(
      "On the page Withdraw of your account: choose a coin, an address of your book and an amount, then confirm both by the link in the mail. A second factor is needed, and a new address waits for a day. Coins leave on the network that the page names.",
      "The minimum withdrawal is {minimumWithdrawal}, the page names it for other coins, and withdrawal requests are processed {withdrawalProcessing}. Our fee is taken from the amount and shown before.",
    ),
  },
  {
    slug: "payment-before-a-withdrawal",
    question: "Must I pay something before I can withdraw?",
    answer:
      "No, never: no tax, no deposit, no fee, no upgrade. Who asks for a payment so that your money can leave is a fraud, also when he uses our name. Do not pay, and [tell us](/contact).",
  },
  {
    slug: "card-purchases",
    question: "Can I pay by card?",
    answer:
      "No. Should cards be accepted one day, an account may be held after a purchase by card for up to {cardHold}, because a card payment can be called back.",
  },
  {
    slug: "how-to-check-a-balance",
    question: "How do I check my balance?",
    answer: paragraphs(
      "Click the small stamp beside a figure. It opens the evidence: the entries behind a balance, and behind each entry the transfer with both of its sides, the document that caused it, and the seal over it.",
      "Entries are only ever added. A mistake is corrected by a second transfer that stands beside the first.",
    ),
  },
  {
    slug: "what-is-a-seal",
    question: "What is a seal?",
    answer: paragraphs(
      "A fingerprint (SHA-256) of all transfers that were written since the seal before, and of that seal. It is made every minute in which something was written. If anybody changed what lies under a seal, the same number would show another hash.",
      "Note the number and hash that your evidence page shows. With it the operator, or an auditor he lets in, can run **npm run verify -- journal NUMBER:HASH**, which computes every seal, balance and sum again.",
    ),
  },
  {
    slug: "what-can-a-seal-not-prove",
    question: "What do the journal and its seals not prove?",
    answer: paragraphs(
      "That the coins are there. They prove what you are owed and that it was not rewritten. Two people of the operator's count the wallets, and [the plans](/plans) say what was counted: that is their word. A public proof of reserves, which you could check yourself, is not offered yet.",
      "They cannot prove either that the operator runs the software as it was published. [About](/about) lists what to ask an operator for.",
    ),
  },
  {
    slug: "can-staff-change-my-balance",
    question: "Can your staff change my balance?",
    answer:
      "Nobody can type a balance. Staff can approve or reject a deposit against a payment, and two of them together can give you coins of the operator's own, with a reason that you read; the balance follows from the entries. Each act of staff leaves a line in an audit log, in the same moment or not at all, and the database refuses an approval without one.",
  },
  {
    slug: "what-is-account-profit",
    question: "What do Deposit, Account Profit and Total Sum mean?",
    answer: paragraphs(
      "**Deposit** is the sum in dollars of your deposits that were not rejected, with what still waits for review named under it. **Account Profit** is mining credits minus fees; it starts at {newProfileProfit} and can be negative. **Total Sum** is both together.",
      "These are dollar figures for orientation. What you are owed is the quantity of coin in your balances.",
    ),
  },
  {
    slug: "where-do-prices-come-from",
    question: "Where do the prices come from?",
    answer:
      "From several public exchanges: the middle value of those that are fresh and agree, with their number and the age beside it. A price older than {priceMaxAge} is not used to value anything, and the page says so. [Prices](/prices) shows what each exchange said. The ticker shows {tickerSymbols}.",
  },
  {
    slug: "who-holds-the-coins",
    question: "Who holds the coins that I deposit?",
    answer:
      "The operator, in wallets whose keys the operator has. No deposit insurance covers them. If the keys are lost or the operator fails, you can lose all of it. The private keys are not on this server.",
  },
  {
    slug: "verification",
    question: "Will I have to prove who I am?",
    answer:
      "Not to deposit. Before a first contract or withdrawal you say which country you live in. For more than the amounts that the page Verification in your account names, you prove your age and country there with a document. It costs nothing. How documents are encrypted, who sees them and when they are deleted stands in the [Privacy Policy](/terms?tab=privacy).",
  },
  {
    slug: "how-is-my-password-kept",
    question: "How is my account protected?",
    answer: paragraphs(
      "Passwords are kept only as Argon2id hashes, and attempts to guess them are limited. Sessions are checked on every request. On the page Security of your account you add a second factor (an authenticator app, or a passkey where the site has a name and https), and see everything that was done to the account. Money leaves only with a second factor.",
      "Use a password that you use nowhere else. Our staff never ask for it, nor for a private key or a seed phrase.",
    ),
  },
  {
    slug: "what-about-my-data",
    question: "What do you keep of me?",
    answer:
      "What the account needs: name, e-mail address, a hash of the password, sessions, deposits with their slips, contracts, withdrawals with the addresses that you chose, what you show for a verification, and mails to you. Public pages set no cookie and load nothing from other companies. The [Privacy Policy](/terms?tab=privacy) and the [Cookie Policy](/terms?tab=cookies) name each thing, and for how long.",
  },
  {
    slug: "how-to-complain",
    question: "What if something is wrong?",
    answer: paragraphs(
      "[Write to us](/contact) with the number of the deposit or entry. A dispute must be raised within {disputeRaisedWithin}. We answer with an offer within {disputeOfferWithin}, and you can reject it within {disputeRejectionWithin}. Your right to go to a court or an authority stays.",
      "Our liability for damages is limited to {liabilityCap}; your claim to the coins in your balance is not part of that limit.",
    ),
  },
  {
    slug: "what-if-the-operator-cannot-perform",
    question: "What happens in a disaster?",
    answer:
      "Neither side is in breach while something beyond its control keeps it from performing. If such force majeure lasts over {forceMajeure}, either side may end the agreement. Coins in your balance stay yours.",
  },
  {
    slug: "stocks-leverage-referrals",
    question: "Can I trade stocks, use leverage or earn by referring friends?",
    answer:
      "No, and none of it is planned. Conversion between coins at a firm quote is planned and not offered yet.",
  },
  {
    slug: "how-to-close-an-account",
    question: "How do I close my account?",
    answer:
      "On the page Profile of your account, under Your data. What is owed to you is paid out first, to an address of yours and without a fee, bitcoin also below {minimumWithdrawal}. Which coins can be withdrawn stands under [What is offered today](/services#today); an account that holds another stays open until it can. Your entries stay in the journal under a number without a name.",
  },
  {
    slug: "who-is-behind-it",
    question: "Who is behind this site?",
    answer:
      "The company that the [About](/about) page names. Where it names none, the operator has not entered it: then do not pay anything in. The software is [Assay](/about#software), which anybody can run; it is not the operator.",
  },
];

function paragraphs(...words: string[]): string {
  return words.join("\n\n");
}

function lines(...words: string[]): string {
  return words.join("\n");
}
