import { runwayInWords } from "#core/mining/runway.ts";
import { terms } from "#core/terms.ts";
import { momentInWords } from "#core/text/date-in-words.ts";
import { formatDay } from "#core/utc-day.ts";
import { actionNeeded, done, type Site } from "../platform/mail/layout.ts";
import { btc, perThsDay } from "./figures-in-words.ts";
import type { MiningLetter } from "./mining-letter.ts";
import type { MiningNotice } from "./notice.ts";

/** Maintenance is unpaid: what has to arrive, and by when. */
export function writeGracePeriod(
  { appUrl }: Site,
  notice: Extract<MiningNotice, { kind: "maintenance-clock" }>,
): MiningLetter {
  const { plan, missingSats, unpaidSats, availableSats } = notice;
  const until = momentInWords(notice.expiresAt);
  const others = availableSats + missingSats - unpaidSats;
  const missing = btc(missingSats);
  const isMissing = missingSats > 0n;
  return {
    subject:
      notice.nth === 3
        ? `Last reminder: ${plan} is cancelled after ${until} unless its maintenance is paid`
        : `Maintenance of ${plan} is unpaid`,
    preview: isMissing
      ? `Add ${missing} before ${until} and your contract continues.`
      : `Your contract continues if the fee is paid before ${until}.`,
    headline: isMissing ? `Add ${missing} to keep your contract` : "Your maintenance fee is unpaid",
    band: actionNeeded,
    figure: ["Deadline", until],
    facts: [
      ...(isMissing ? ([["Missing", missing]] as [string, string][]) : []),
      ["Unpaid maintenance", btc(unpaidSats)],
      ["Your Bitcoin balance", btc(availableSats)],
      ["Contract", plan],
    ],
    paragraphs: [
      isMissing
        ? `Your Bitcoin balance does not cover the maintenance fee. Deposit at least ${missing} before then and your contract continues. We take the fee automatically.`
        : "Your Bitcoin balance now covers the maintenance fee. We take it automatically, and your contract continues.",
      ...(isMissing && others > 0n
        ? [
            `This covers ${btc(others)} of unpaid fees of your other contracts, too. We take the oldest fee first.`,
          ]
        : []),
      `If the fee stays unpaid for ${terms.terminationClauseHours} hours, we cancel the contract. The timer pauses each night until we have settled that day, so the deadline can move later, never earlier.`,
      notice.termination === "refund-unserved"
        ? "If we cancel it, we refund the price of the days it did not serve."
        : "If we cancel it, we do not refund the price of the days it did not serve, as the plan says.",
    ],
    ...(isMissing && {
      action: { label: `Add ${missing}`, url: `${appUrl}/account/deposit` },
      also: { label: "See your contracts", url: `${appUrl}/account/mining` },
    }),
  };
}

/** How long the balance still pays the fees of all contracts: before anything is unpaid. */
export function writeRunway(
  { appUrl }: Site,
  notice: Extract<MiningNotice, { kind: "maintenance-runway" }>,
): MiningLetter {
  const covered = runwayInWords(notice.days);
  const missing = btc(notice.missingSats);
  return {
    subject: `Your Bitcoin covers maintenance for ${covered}`,
    preview: `${missing} more covers every contract to its end.`,
    headline: `Your Bitcoin covers maintenance for ${covered}`,
    band: actionNeeded,
    facts: [
      ["Your Bitcoin balance", btc(notice.availableSats)],
      [`Missing until ${formatDay(notice.endsOn)}, the last day`, missing],
    ],
    paragraphs: [
      `Nothing is unpaid today. Deposit Bitcoin before it runs out: maintenance that stays unpaid for ${terms.terminationClauseHours} hours cancels a contract.`,
      "This is an estimate, at today's price of Bitcoin and with what your contracts mined in the last days. We warn you at 14, 7 and 3 days.",
    ],
    action: { label: `Add ${missing}`, url: `${appUrl}/account/deposit` },
    also: { label: "See your contracts", url: `${appUrl}/account/mining` },
  };
}

type Change = Extract<MiningNotice, { changeId: string }>;

/** The fee will be another from a day on, or stays after all. */
export function writeMaintenanceChange(notice: Change): MiningLetter {
  return notice.kind === "maintenance-change" ? changed(notice) : stays(notice);
}

function changed(notice: Change): MiningLetter {
  const { plan, fromUsdMicros, toUsdMicros } = notice;
  const from = formatDay(notice.effectiveFrom);
  const rises = toUsdMicros > fromUsdMicros;
  return {
    subject: `Maintenance of ${plan} changes on ${from}`,
    preview: `From ${perThsDay(fromUsdMicros)} to ${perThsDay(toUsdMicros)}.`,
    headline: `Your maintenance fee ${rises ? "rises" : "falls"} on ${from}`,
    band: rises ? { tone: "action", word: "Fee change" } : done,
    figure: ["New fee", perThsDay(toUsdMicros)],
    facts: [
      ["Fee until then", perThsDay(fromUsdMicros)],
      ["From", `${from}, 00:00 UTC`],
      ["Plan", plan],
    ],
    quotes: [["Reason", notice.reason]],
    paragraphs: [],
  };
}

function stays(notice: Change): MiningLetter {
  const { plan, fromUsdMicros, toUsdMicros } = notice;
  return {
    subject: `Maintenance of ${plan} stays as it is`,
    preview: `It stays at ${perThsDay(fromUsdMicros)}.`,
    headline: "Your maintenance fee stays as it is",
    band: done,
    figure: ["Fee", perThsDay(fromUsdMicros)],
    facts: [
      ["Announced, now cancelled", perThsDay(toUsdMicros)],
      ["Plan", plan],
    ],
    paragraphs: [
      `We cancelled the change that we announced for ${formatDay(notice.effectiveFrom)}.`,
    ],
  };
}
