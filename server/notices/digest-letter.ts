import { formatWhole } from "#core/money.ts";
import { daysBetween, formatDay } from "#core/utc-day.ts";
import type { Bars } from "../platform/mail/layout.ts";
import { btc, changeInWords, usd } from "./figures-in-words.ts";
import type { MiningLetter } from "./mining-letter.ts";
import type { MiningNotice } from "./notice.ts";

type Digest = Extract<MiningNotice, { kind: "mining-digest" }>;

/** What was mined in a period, what it cost, and how that compares with the period before. */
export function writeDigest(notice: Digest): MiningLetter {
  const { creditSats, feeSats, creditUsdMicros, feeUsdMicros, creditSatsBefore } = notice;
  const net = creditSats - feeSats;
  const netUsd = creditUsdMicros - feeUsdMicros;
  const days = daysBetween(notice.fromDay, notice.throughDay) + 1;
  const period = periodInWords(notice, days);
  const change = creditSatsBefore === null ? null : changeInWords(creditSatsBefore, creditSats);
  const before = days === 1 ? "Against the day before" : `Against the ${days} days before`;
  return {
    subject: `Mined ${days === 1 ? "on" : "from"} ${period}: ${btc(creditSats)}`,
    preview: `After maintenance: ${btc(net)}, ${usd(netUsd)}.`,
    headline: `Your mining ${days === 1 ? "on" : "from"} ${period}`,
    figure: ["Mined", `${btc(creditSats)}, ${usd(creditUsdMicros)}`],
    facts: [
      ["Maintenance", `${btc(feeSats)}, ${usd(feeUsdMicros)}`],
      ["After maintenance", `${btc(net)}, ${usd(netUsd)}`],
      ...(change ? ([[before, `${change} mined`]] as [string, string][]) : []),
      ["Days with a contract", String(notice.days)],
    ],
    bars: barsOf(notice),
    paragraphs: ["Days are UTC days. Dollars are at each day's own price."],
    canMute: true,
  };
}

function periodInWords({ fromDay, throughDay }: Digest, days: number): string {
  if (days === 1) return formatDay(fromDay);
  const isOneMonth = fromDay.slice(0, 7) === throughDay.slice(0, 7);
  const from = isOneMonth ? String(Number(fromDay.slice(8))) : formatDay(fromDay);
  return `${from} to ${formatDay(throughDay)}`;
}

/** One day needs no chart. */
function barsOf({ lastDays }: Digest): Bars | undefined {
  if (lastDays.length < 2) return undefined;
  return {
    caption: "Mined each day, in satoshi",
    days: lastDays.map(({ day, creditSats }) => ({
      label: formatDay(day).slice(0, -5),
      value: formatWhole(creditSats),
      size: Number(creditSats),
    })),
  };
}
