import type { Texts } from "#app/run-act.ts";
import { decided, meanwhile } from "./meanwhile.ts";

export const payouts: Texts = {
  "payouts/no-such-payout": "This payout is not there any more. Nothing was changed.",
  "payouts/no-such-pool": "This pool is not there any more. Nothing was changed.",
  "payouts/no-such-statement": "This statement is not there any more. Nothing was recorded.",
  "payouts/pool-unnamed": { field: "name", text: "Write a name" },
  "payouts/pool-name-taken": { field: "name", text: "Another pool has this name" },
  "payouts/pool-begins-too-early": {
    field: "countsFrom",
    text: "Days until then are credited. It can count from the day after",
  },
  "payouts/pool-paid-later": {
    field: "countsUntil",
    text: "It paid for a later day, or began after this one",
  },
  "payouts/too-far-ahead": { field: "countsUntil", text: "Within 31 days: it cannot be changed" },
  "payouts/day-is-over": {
    field: "countsUntil",
    text: "Not in the past, and in seven days at the earliest while it pays. For each day before that the pool did not pay, enter a payout of 0, which a colleague confirms",
  },
  "payouts/still-pays": {
    field: "countsUntil",
    text: "In seven days at the earliest: a colleague may know better. Sooner once a payout of 0 for yesterday or the day before is recorded, by two people or as the pool said",
  },
  "payouts/pool-stopped-already": {
    field: "countsUntil",
    text: "Another last day is set for this pool already",
  },
  "payouts/coins-missing":
    "It was not recorded: your node has not seen the coins. Wait for them, or write why they cannot be seen.",
  "payouts/address-is-used": meanwhile(
    "Something was seen at this address, or it was given away meanwhile. Nothing was changed: the page shows the next one.",
  ),
  "payouts/address-of-another-wallet":
    "The configured key does not give this address: what is paid there is not yours. Nothing was changed. Run npm run verify -- addresses.",
  "payouts/not-a-link": {
    field: "url",
    text: "A link that begins with https://, without a name and password in it",
  },
  "payouts/implausible-limit": { field: "limit", text: "Not below nothing" },
  "payouts/already-there": {
    field: "day",
    text: "A payout of this pool for this day is there already",
  },
  "payouts/day-not-over": { field: "day", text: "This day is not over yet, in UTC" },
  "payouts/day-does-not-count": { field: "day", text: "The pool does not count on this day" },
  "payouts/day-credited": {
    field: "day",
    text: "This day is credited. If the pool paid otherwise, correct the payout that it rests on",
  },
  "payouts/not-a-txid": { field: "txid", text: "64 hexadecimal digits" },
  "payouts/evidence-missing": {
    field: "txid",
    text: "Name the transaction, or keep the statement it rests on. A pool that paid and delivered 0 needs neither",
  },
  "payouts/transaction-of-another-pool": {
    field: "txid",
    text: "This transaction is another pool's payout",
  },
  "payouts/counted-otherwise": {
    field: "txid",
    text: "This transaction is counted already, as a customer's deposit or as the operator's own money",
  },
  "payouts/still-credited": {
    field: "txid",
    text: "A customer was credited with it. It counts as a payout once that credit is reversed whole",
  },
  "payouts/implausible-amount": { field: "amount", text: "Not more than can exist" },
  "payouts/implausible-hashrate": { field: "delivered", text: "Not more than can exist" },
  "payouts/reason-missing": { field: "reason", text: "Write the reason" },
  "payouts/nothing-to-correct": { field: "amount", text: "That is what is recorded" },
  "payouts/second-person-needed":
    "It was not recorded: another person has to stand for it first. Look at the payout again.",
  "payouts/own-proposal": "You stand for this payout yourself. A second person confirms it.",
  "payouts/proposer-left":
    "The colleague who stands for this payout has left the staff. Refuse it and enter it yourself.",
  "payouts/nobody-stands-for-it":
    "The first of two people has not stood for it yet. Nothing was recorded. Stand for it, then a second person confirms it.",
  "payouts/somebody-stands-for-it": meanwhile(
    "One person stands for it already. Now a second one confirms it.",
  ),
  "payouts/entered-otherwise": meanwhile(
    "You sent this form before with other figures: those are entered. If this is another payout, send it again. If what is entered is wrong, correct it among the payouts.",
  ),
  "payouts/proposed-otherwise": meanwhile(
    "You sent this form before with other figures: those wait for a second person. To propose these, let that correction be refused first.",
  ),
  "payouts/already-decided": decided,
  "payouts/already-corrected": meanwhile("A correction of this payout is there already."),
  "payouts/receipts-taken-out": meanwhile(
    "The receipts of this day were taken out of the database. A correction needs them: put their month back first.",
  ),
  "payouts/not-recorded": meanwhile("Only what is recorded can be corrected."),
  "payouts/file-empty": { field: "file", text: "This file is empty" },
  "payouts/file-too-large": { field: "file", text: "At most 2 MB" },
  "payouts/not-text": {
    field: "file",
    text: "This is no text in UTF-8 or UTF-16. Save it as CSV in UTF-8",
  },
  "payouts/no-table": {
    field: "file",
    text: "No table with a day, an amount and a hashrate was found. Is it this pool's export by day?",
  },
  "payouts/too-many-lines": {
    field: "file",
    text: "At most 2,000 lines. Export fewer days at a time",
  },
  "payouts/other-time-zone": {
    field: "file",
    text: "Its days are not UTC days. Set the pool's time zone to UTC and export it again",
  },
  "payouts/not-a-file":
    "A pool's interface gave this statement, not a file, so there is nothing to record again.",
};

/** Of a pool's file, which is no picture and smaller than other files. */
export const statementFile: Texts = {
  "files/missing": "Choose the file that the pool exported",
  "files/more-than-one": "One file at a time",
  "files/too-large": "At most 2 MB",
};
