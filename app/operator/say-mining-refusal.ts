import { passkeyNeeded } from "./passkey-needed.ts";

export interface Said {
  status: 400 | 409;
  fieldErrors?: Record<string, string[]>;
  formErrors?: string[];
}

/** What a form says when the business declines it: at the field that can mend it, or at its head. */
export function sayMiningRefusal(code: string): Said {
  const late = tooLate[code];
  if (late) return { status: 409, formErrors: [late] };
  const [field, words] = atField[code] ?? [];
  if (field && words) return { status: 400, fieldErrors: { [field]: [words] } };
  return { status: 400, formErrors: [atHead[code] ?? "This was refused. Nothing was changed."] };
}

const atField: Record<string, [string, string]> = {
  "fleet/site-name-taken": ["name", "Another site has this name"],
  "fleet/implausible-energy-price": ["price", "Between $0.000001 and $10"],
  "fleet/evidence-missing": ["evidence", "Say what this rests on"],
  "fleet/less-than-sold": [
    "machines",
    "So much is sold already that fewer machines could not deliver it. If they broke down, note an outage: contracts run on for it",
  ],
  "fleet/implausible-machines": ["machines", "This cannot be right for a batch of machines"],
  "fleet/outage-in-the-future": ["at", "This has not happened yet"],
  "fleet/outage-ends-before-it-starts": ["until", "This is before it began"],
  "fleet/end-in-the-future": ["until", "This has not happened yet"],
  "fleet/correction-unexplained": ["why", "Write why"],
  "fleet/nothing-lost": ["lost", "More than nothing"],
  "fleet/more-than-runs": ["lost", "More than runs there on that day"],
  "fleet/implausible-reserve": ["percent", "Between 0 and 100"],
  "plans/slug-taken": ["slug", "Another plan has this address"],
  "plans/slug-not-plain": ["slug", "Small letters, digits and hyphens, for instance start-360"],
  "plans/unnamed": ["name", "Write a name"],
  "plans/implausible-hashrate": ["unit", "Between 0.001 and 1,000,000 TH/s"],
  "plans/implausible-term": ["termDays", "Between 1 and 1,825 days"],
  "plans/implausible-limit": ["mostUnits", "Between 1 and 100,000"],
  "plans/implausible-offer": ["offered", "More than nothing, or leave it empty"],
  "plans/implausible-price": ["margin", "The parts must add up to more than nothing"],
  "plans/implausible-maintenance": [
    "maintenanceMargin",
    "The parts must not add up to less than nothing",
  ],
  "contracts/too-early": ["effectiveFrom", "At least 7 days ahead, at 00:00 UTC"],
  "contracts/day-taken": ["effectiveFrom", "Another change is announced for this day"],
  "contracts/implausible-maintenance": ["fee", "Between $0 and $10 per TH/s and day"],
  "contracts/nothing-to-change": ["fee", "That is what it costs on that day already"],
  "payouts/pool-name-taken": ["name", "Another pool has this name"],
  "payouts/pool-paid-later": ["countsUntil", "It paid for a later day, or began after this one"],
  "payouts/pool-begins-too-early": [
    "countsFrom",
    "Days until then are credited. It can count from the day after",
  ],
  "payouts/already-there": ["day", "A payout of this pool for this day is there already"],
  "payouts/transaction-of-another-pool": ["txid", "This transaction is another pool's payout"],
  "payouts/counted-otherwise": [
    "txid",
    "This transaction is counted already, as a customer's deposit or as the operator's own money",
  ],
  "payouts/still-credited": [
    "txid",
    "A customer was credited with it. It counts as a payout once that credit is taken back whole",
  ],
  "payouts/not-a-txid": ["txid", "64 hexadecimal digits"],
  "payouts/day-not-over": ["day", "This day is not over yet, in UTC"],
  "payouts/day-does-not-count": ["day", "The pool does not count on this day"],
  "payouts/day-credited": [
    "day",
    "This day is credited. If the pool paid otherwise, correct the payout that it rests on",
  ],
  "payouts/implausible-amount": ["amount", "Not more than can exist"],
  "payouts/implausible-hashrate": ["delivered", "Not more than can exist"],
  "payouts/reason-missing": ["reason", "Write the reason"],
  "payouts/evidence-missing": ["txid", "Name the transaction, or keep the statement it rests on"],
  "payouts/nothing-to-correct": ["amount", "That is what is recorded"],
  "payouts/file-empty": ["file", "This file is empty"],
  "payouts/file-too-large": ["file", "At most 2 MB"],
  "payouts/not-text": ["file", "This is no text in UTF-8 or UTF-16. Save it as CSV in UTF-8"],
  "payouts/no-table": [
    "file",
    "No table with a day, an amount and a hashrate was found. Is it this pool's export by day?",
  ],
  "payouts/too-many-lines": ["file", "At most 2,000 lines. Export fewer days at a time"],
  "payouts/other-time-zone": [
    "file",
    "Its days are not UTC days. Set the pool's time zone to UTC and export it again",
  ],
  "payouts/implausible-limit": ["limit", "Not below nothing"],
};

const atHead: Record<string, string> = {
  "fleet/nothing-to-correct": "That is what is noted already.",
  "identity/operator-not-active":
    "Your right to act was taken away a moment ago. Nothing was done.",
  "identity/not-permitted": "This is not for your role. Nothing was done.",
  "payouts/own-proposal": "You stand for this payout yourself. A second person confirms it.",
  "payouts/proposer-left":
    "Who stands for this payout is not on the staff any more. Refuse it and enter it yourself.",
  "payouts/second-person-needed":
    "It was not recorded: another person has to stand for it first. Look at the payout again.",
  "plans/own-draft":
    "You wrote this draft. It was not published: another approver or owner publishes it.",
  "identity/passkey-needed": passkeyNeeded,
  "payouts/nobody-stands-for-it":
    "Nobody stands for it yet. The first person does, then a second one confirms it.",
  "payouts/somebody-stands-for-it":
    "A colleague stands for it already. Now a second person confirms it.",
  "payouts/no-such-pool": "This pool is not there.",
  "payouts/no-such-statement": "This statement is not there.",
  "mining/day-not-over": "This day is not over yet, in UTC.",
  "mining/day-out-of-order": "Days are credited in their order. Another one comes first.",
  "mining/evidence-incomplete": "Not every pool that counts has a recorded payout for this day.",
  "mining/no-price": "No price of BTC is known for this day yet.",
};

const tooLate: Record<string, string> = {
  "plans/changed-meanwhile":
    "A colleague changed this draft while you looked at it. What stands there now is below; yours is kept in the form.",
  "plans/not-a-draft": "This version is published. A change takes a new version.",
  "fleet/outage-changed-meanwhile":
    "A colleague corrected this outage, or took it back, while you looked at it. What is noted now is on this page.",
  "plans/already-retired": "This version is retired. Offer a new version.",
  "payouts/entered-otherwise":
    "This form was sent before, with other figures: those are entered. If this is another payout, send it again. If what is entered is wrong, correct it among the payouts.",
  "payouts/proposed-otherwise":
    "This form was sent before, with other figures: those wait for a second person. To propose these, let that correction be refused first.",
  "payouts/already-decided": "A colleague decided this payout while you looked at it.",
  "payouts/already-corrected": "A correction of this payout is there already.",
  "payouts/receipts-taken-out":
    "The receipts of this day were taken out of the database. A correction needs them: put their month back first.",
  "payouts/not-recorded": "Only what is recorded can be corrected.",
};
