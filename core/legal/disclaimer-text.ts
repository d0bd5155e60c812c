import type { TermWords } from "../term-words.ts";
import { type LegalDocument, sections } from "./legal-document.ts";

/** The Disclaimer: what can go wrong, said as plainly as what works. */
export function disclaimerText(w: TermWords): LegalDocument {
  return {
    id: "disclaimer",
    title: "Disclaimer",
    opening: [
      "You can lose everything that you pay in. If that would hurt you, do not pay it in. Nothing on this site is a promise of earnings, and nothing is advice.",
    ],
    sections: [...no(w), ...risks(w), ...words()],
  };
}

function no(w: TermWords) {
  return sections({
    "no-promise": [
      "No promise of earnings",
      "No one guarantees a return, on any part of this site. We state no yield, rate or percentage per day anywhere. If you read one in our name, it is not ours.",
      "What others earned, or what a past day paid, says little about the next one. Examples on these pages are labelled as examples.",
    ],
    "no-advice": [
      "No advice",
      "Nothing here is advice on investments, law or tax, or a recommendation to buy or hold anything. We do not know your circumstances. Ask someone who does and who is not paid by us.",
    ],
    "not-for-everybody": [
      "Not for everyone",
      `The service is for people who are ${w.minimumAge} or older. It is not available to US residents. It may be restricted where you live; you must find out whether it is.`,
      "There is no stock trading here, no leverage and no lending.",
    ],
  });
}

function risks(w: TermWords) {
  return sections({
    "price-risk": [
      "Prices",
      "The prices of Bitcoin, Ether and other coins change fast and far, and can stay low. USDT is a promise by its issuer to be worth a dollar; it can be broken. Fees that are set in one currency and earnings that come in another can grow apart.",
    ],
    "mining-risk": [
      "Mining",
      {
        list: [
          "The network's difficulty usually rises when more machines mine; the same hashrate then earns less.",
          "The subsidy per block halves every 210,000 blocks, about every four years.",
          "The power price can rise. Machines fail, age, and are outdated by better ones. A site can lose its power, its lease or its permission.",
          "A pool can pay late, pay less, or fail with what it owes.",
          `A contract ends early when the balance cannot cover its maintenance fee for ${w.unpaidMaintenance} (${w.terminationClause}): that tends to happen when prices are low, and you may then lose what you paid for the contract.`,
          "Mining can cost more than it brings, for a day or for good.",
        ],
      },
      "The calculator and the scenarios of the plans are arithmetic with assumptions, not a forecast. The results of past contracts say nothing about the next one.",
    ],
    "custody-risk": [
      "Custody and the operator",
      "The operator holds the coins that you deposit, in wallets whose keys the operator has. If the keys are lost or stolen, or the operator fails, is dishonest or goes bankrupt, you can lose everything; you may then be one creditor among many. No deposit insurance pays.",
      "The ledger proves what we owe you. It cannot prove that the coins are still there: we do not offer a public proof of reserves yet.",
      "Bitcoin can be withdrawn through this site, Ether and USDT where the page [Services](/services#today) says so, not earlier than the next day.",
    ],
    "technical-risk": [
      "Technology",
      "Payments on a chain are final. Coins sent to a wrong address or on a wrong network are usually lost. Chains can be congested, split or attacked; software has faults, ours too. Your own device and mailbox can be broken into.",
    ],
    "legal-risk": [
      "Law and tax",
      "Rules on coins and on mining change, and differ from place to place. They can end the service where you live. Taxes can be due on credits even if you have sold nothing.",
    ],
  });
}

function words() {
  return sections({
    figures: [
      "Figures on this site",
      "A figure with a stamp can be traced to its evidence. A figure with a broken stamp, an estimate or an old price cannot, and says so. Market prices come from public exchanges and are shown for information; they may differ from what you could buy or sell for.",
      "Links lead to what others wrote, and the charting provider's widgets show it. We have not checked it and do not endorse it.",
    ],
    advertising: [
      "The words of the landing page",
      "“Secure” means traceable and carefully built; it does not mean without risk. “Trading” and “investments” name the field: you can trade no stocks here, and we do not offer conversion between coins yet.",
    ],
  });
}
