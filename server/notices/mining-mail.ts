import { formatWhole } from "#core/money.ts";
import { terms } from "#core/terms.ts";
import { daysBetween, formatDay } from "#core/utc-day.ts";
import { actionNeeded, type Bars, renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import { writeContract } from "./contract-letters.ts";
import { btc, changeInWords, usd } from "./figures-in-words.ts";
import { writeGracePeriod, writeMaintenanceChange, writeRunway } from "./maintenance-letters.ts";
import type { MiningLetter } from "./mining-letter.ts";
import { type MiningNotice, noticePath } from "./notice.ts";

/** Writes the mail that tells a customer what became of a contract, or of what it mined. */
export function miningMail(site: Site, firstName: string, notice: MiningNotice): RenderedMail {
  const isOfOne = "contractId" in notice;
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    action: {
      label: isOfOne ? "See the contract" : "See your contracts",
      url: `${site.appUrl}${noticePath(notice)}`,
    },
    because: "You get this because you have a contract.",
    ...write(site, notice),
  });
}

function write(site: Site, notice: MiningNotice): MiningLetter {
  switch (notice.kind) {
    case "contract-bought":
    case "contract-given-back":
    case "contract-ended":
      return writeContract(notice);
    case "maintenance-clock":
      return writeGracePeriod(site, notice);
    case "maintenance-runway":
      return writeRunway(site, notice);
    case "inactivity-ahead":
      return inactivity(site, notice);
    case "mining-digest":
      return writeDigest(notice);
    case "maintenance-change":
    case "maintenance-change-withdrawn":
      return writeMaintenanceChange(notice);
  }
}

function inactivity(
  { appUrl }: Site,
  notice: Extract<MiningNotice, { kind: "inactivity-ahead" }>,
): MiningLetter {
  const first = formatDay(notice.firstFeeDay);
  const percent = `${Number(terms.inactivityFeePerMillion) / 10_000} %`;
  return {
    subject: `An inactivity fee begins on ${first}`,
    preview: "A new contract, or a balance below the minimum withdrawal, avoids it.",
    headline: `An inactivity fee begins on ${first}`,
    band: actionNeeded,
    facts: [
      ["Fee per day", `${percent} of your Bitcoin balance`],
      ["At least", btc(terms.inactivityFeeMinimumSats)],
      ["Never takes your balance below", btc(terms.minimumWithdrawalSats)],
      ["No active contract since", `${formatDay(notice.inactiveSince)} (UTC)`],
    ],
    paragraphs: [
      "We charge this fee on a Bitcoin balance without an active contract. You avoid it if you withdraw your bitcoin, or with a new contract.",
    ],
    action: { label: "Withdraw your bitcoin", url: `${appUrl}/account/withdraw` },
    also: { label: "Look at the plans", url: `${appUrl}/account/mining/buy` },
    because: "You get this because you have a Bitcoin balance and no active contract.",
  };
}

type Digest = Extract<MiningNotice, { kind: "mining-digest" }>;

/** What was mined in a period, what it cost, and how that compares with the period before. */
function writeDigest(notice: Digest): MiningLetter {
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
