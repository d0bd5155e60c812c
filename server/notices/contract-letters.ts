import { formatGhs } from "#core/mining/hashrate-words.ts";
import { amountInWords, formatUsd } from "#core/money.ts";
import { terms } from "#core/terms.ts";
import { momentInWords } from "#core/text/date-in-words.ts";
import { formatDay } from "#core/utc-day.ts";
import { done } from "../platform/mail/layout.ts";
import { btc, signedUsd, toDollars, usd } from "./figures-in-words.ts";
import type { MiningLetter } from "./mining-letter.ts";
import type { MiningNotice } from "./notice.ts";

type Of<Kind extends MiningNotice["kind"]> = Extract<MiningNotice, { kind: Kind }>;

/** What a customer is told when a contract begins and when it ends. */
export function writeContract(
  notice: Of<"contract-bought" | "contract-given-back" | "contract-ended">,
): MiningLetter {
  if (notice.kind === "contract-bought") return bought(notice);
  if (notice.kind === "contract-given-back") return refunded(notice);
  return notice.reason === "served" ? served(notice) : cancelled(notice);
}

function bought(notice: Of<"contract-bought">): MiningLetter {
  const until = notice.coolingOffUntil;
  const { dailyFeeUsdMicros, dailyFeeSats, expected } = notice;
  const fee = `$${toDollars(dailyFeeUsdMicros)} a day`;
  return {
    subject: `You bought ${notice.quantity} × ${notice.plan}`,
    preview: `It starts on ${formatDay(notice.startsOn)} (UTC). Keep BTC for maintenance.`,
    headline: `Your contract starts on ${formatDay(notice.startsOn)}`,
    band: done,
    figure: [
      "You paid",
      `${amountInWords(notice.units, notice.asset)}, ${formatUsd(notice.usdCents)}`,
    ],
    facts: [
      ["Hashrate", formatGhs(notice.ghs)],
      ["First day", `${formatDay(notice.startsOn)} (UTC)`],
      ["Last day, later if there is downtime", `${formatDay(notice.plannedLastDay)} (UTC)`],
      ["Maintenance fee", dailyFeeSats === null ? fee : `${fee}, about ${btc(dailyFeeSats)}`],
      ...(expected
        ? ([
            [
              "Mines at today's figures",
              `about ${btc(expected.minedSatsPerDay)} a day, ${usd(expected.minedUsdMicrosPerDay)}`,
            ],
            [
              "Expected result over the term",
              `${signedUsd(expected.worstUsdMicros)} to ${signedUsd(expected.bestUsdMicros)}`,
            ],
          ] as Array<[string, string]>)
        : []),
    ],
    paragraphs: [
      `Keep BTC in your account for maintenance: we take the fee from your Bitcoin balance each day. If it stays unpaid for ${terms.terminationClauseHours} hours, we cancel the contract.`,
      "We credit each day once the pools have paid for it, with a receipt that you can recompute.",
      ...(expected
        ? [
            "The expected result is what the contract mines, less maintenance and the price you paid, from the worst to the best of the scenarios on the plan's page. It is arithmetic, not a forecast, and it can end with a loss.",
          ]
        : []),
      ...(until === null
        ? []
        : [
            `It is your first contract: until ${momentInWords(until)} you can have it refunded in full.`,
          ]),
    ],
    closing: ["You can download the contract as a PDF on its page."],
  };
}

function refunded(notice: Of<"contract-given-back">): MiningLetter {
  const amount = amountInWords(notice.units, notice.asset);
  return {
    subject: `Refunded: ${notice.quantity} × ${notice.plan}`,
    preview: `${amount} is available in your account again.`,
    headline: "Your contract was refunded",
    band: done,
    figure: ["Refunded", amount],
    paragraphs: [
      `You returned your contract ${notice.quantity} × ${notice.plan}. Everything you paid for it is in your balance again.`,
    ],
    closing: ["If it was not you, change your password and write to us."],
  };
}

function served(notice: Of<"contract-ended">): MiningLetter {
  const last = formatDay(notice.lastDay);
  return {
    subject: `${notice.plan} has reached the end of its term`,
    preview: `Its last day was ${last}.`,
    headline: "Your contract has reached the end of its term",
    band: done,
    facts: [
      ["Plan", notice.plan],
      ["Days served", `${notice.servedDays} of ${notice.termDays}`],
      ["Last day", `${last} (UTC)`],
    ],
    paragraphs: [
      "What it mined stays in your balance.",
      `A Bitcoin balance without an active contract pays an inactivity fee after ${terms.inactivityAfterDays} days. We tell you at least ${terms.inactivityNoticeDays} days before the first one.`,
    ],
  };
}

function cancelled(notice: Of<"contract-ended">): MiningLetter {
  const amount = (units: bigint) => amountInWords(units, notice.asset);
  const { refundedUnits, forfeitedUnits } = notice;
  return {
    subject: `${notice.plan} was cancelled`,
    preview: `Its maintenance stayed unpaid for ${terms.terminationClauseHours} hours.`,
    headline: "We cancelled your contract",
    band: { tone: "loss", word: "Cancelled" },
    facts: [
      ["Plan", notice.plan],
      ["Days served", `${notice.servedDays} of ${notice.termDays}`],
      ["Last day", `${formatDay(notice.lastDay)} (UTC)`],
      ...(refundedUnits > 0n ? ([["Refunded", amount(refundedUnits)]] as [string, string][]) : []),
      ...(forfeitedUnits > 0n
        ? ([["Not refunded", amount(forfeitedUnits)]] as [string, string][])
        : []),
    ],
    paragraphs: [
      `Its maintenance stayed unpaid for ${terms.terminationClauseHours} hours. You no longer owe it.`,
    ],
  };
}
