import type { Coin } from "#core/asset.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { amountInWords, formatUsd } from "#core/money.ts";
import { terms } from "#core/terms.ts";
import { type Letter, renderMail, type Site } from "../platform/mail/layout.ts";
import type { RenderedMail } from "../platform/mail/mail.ts";
import { type MiningNotice, noticePath } from "./notice.ts";

/** Writes the mail that tells a customer what became of a contract, or of what it mined. */
export function miningMail(site: Site, firstName: string, notice: MiningNotice): RenderedMail {
  return renderMail(site, {
    template: notice.kind,
    greeting: `Hello ${firstName},`,
    action: { label: actionOf(notice), url: `${site.appUrl}${noticePath(notice)}` },
    ...words(notice),
  });
}

function actionOf(notice: MiningNotice): string {
  return "contractId" in notice ? "See the contract" : "See your contracts";
}

type Words = Pick<Letter, "subject" | "preview" | "paragraphs" | "facts" | "closing">;
type Change = Extract<MiningNotice, { changeId: string }>;
type Of<Kind extends MiningNotice["kind"]> = Extract<MiningNotice, { kind: Kind }>;

function words(notice: MiningNotice): Words {
  switch (notice.kind) {
    case "contract-bought":
      return bought(notice);
    case "contract-given-back":
      return givenBack(notice);
    case "maintenance-clock":
      return clock(notice);
    case "contract-ended":
      return notice.reason === "served" ? served(notice) : cancelled(notice);
    case "inactivity-ahead":
      return inactivity(notice);
    case "mining-digest":
      return digest(notice);
    case "maintenance-change":
      return change(notice);
    case "maintenance-change-withdrawn":
      return withdrawn(notice);
  }
}

function bought(notice: Of<"contract-bought">): Words {
  const until = notice.coolingOffUntil;
  return {
    subject: `You bought ${notice.quantity} × ${notice.plan}`,
    preview: `It starts on ${notice.startsOn} (UTC).`,
    paragraphs: [
      `Your contract of ${formatGhs(notice.ghs)} starts on ${notice.startsOn}, 00:00 UTC. Each day is credited once the pools have paid for it, with a receipt that you can check.`,
      ...(until === null
        ? []
        : [
            `It is your first one: until ${moment(until)} you can give it back, and everything you paid returns to your balance.`,
          ]),
    ],
    facts: [
      ["Paid", `${coins(notice)}, ${formatUsd(notice.usdCents)} when you bought it`],
      ["First day", `${notice.startsOn} (UTC)`],
      ["Last day as planned", `${notice.plannedLastDay} (UTC)`],
    ],
    closing: ["The contract as a PDF stands on its page."],
  };
}

function givenBack(notice: Of<"contract-given-back">): Words {
  return {
    subject: `${notice.quantity} × ${notice.plan} is given back`,
    preview: `${coins(notice)} are in your balance again.`,
    paragraphs: [
      `You gave your contract ${notice.quantity} × ${notice.plan} back. Everything you paid for it is in your balance again.`,
    ],
    facts: [["Returned", coins(notice)]],
    closing: ["If it was not you, change your password and write to us."],
  };
}

function coins({ units, asset }: { units: bigint; asset: Coin }): string {
  return amountInWords(units, asset);
}

function clock(notice: Of<"maintenance-clock">): Words {
  const until = moment(notice.expiresAt);
  const { missingSats } = notice;
  const others = notice.availableSats + missingSats - notice.unpaidSats;
  return {
    subject:
      notice.nth === 3
        ? `${notice.plan} is cancelled from ${until} on unless its maintenance is paid`
        : `Maintenance of ${notice.plan} is unpaid`,
    preview: `A deposit before ${until} keeps the contract.`,
    paragraphs: [
      `Your Bitcoin balance did not cover the maintenance of your contract ${notice.plan}. If it is still unpaid when its clock has run ${terms.terminationClauseHours} hours, the contract is cancelled, not before ${until}.`,
      "The clock stands still from the end of each day (UTC) until that day is worked out, so it can become later than that and never earlier.",
      "Nothing has to be done when enough Bitcoin arrives before that: it is taken from your balance within minutes, and the contract goes on.",
      ...(missingSats > 0n && others > 0n
        ? [
            `Unpaid fees of your other contracts come before it, ${btc(others)} of them: the oldest fee is taken first. What is missing covers those as well.`,
          ]
        : []),
      notice.termination === "refund-unserved"
        ? "If it is cancelled, the price of the days that it did not serve goes back to your balance."
        : "If it is cancelled, the price of the days that it did not serve is kept, as the plan says.",
    ],
    facts: [
      ["Unpaid maintenance", btc(notice.unpaidSats)],
      ["Your Bitcoin balance", btc(notice.availableSats)],
      ...(missingSats > 0n ? [["Missing", btc(missingSats)] as [string, string]] : []),
      ["Cancelled if unpaid, not before", until],
    ],
  };
}

function served(notice: Of<"contract-ended">): Words {
  return {
    subject: `${notice.plan} has served its term`,
    preview: `Its last day was ${notice.lastDay}.`,
    paragraphs: [
      `Your contract ${notice.plan} has served all of its ${notice.termDays} days. Its last day was ${notice.lastDay} (UTC). What it mined stays in your balance.`,
      `A Bitcoin balance without an active contract pays an inactivity fee after ${terms.inactivityAfterDays} days. You are told at least ${terms.inactivityNoticeDays} days before the first one.`,
    ],
    facts: [["Days served", `${notice.servedDays} of ${notice.termDays}`]],
  };
}

function cancelled(notice: Of<"contract-ended">): Words {
  const amount = (units: bigint) => coins({ units, asset: notice.asset });
  const back = notice.refundedUnits;
  const kept = notice.forfeitedUnits;
  return {
    subject: `${notice.plan} was cancelled`,
    preview: `Its maintenance stayed unpaid for ${terms.terminationClauseHours} hours.`,
    paragraphs: [
      `The maintenance of your contract ${notice.plan} stayed unpaid for ${terms.terminationClauseHours} hours, so it was cancelled. Its last day was ${notice.lastDay} (UTC). You do not owe the unpaid maintenance any more.`,
    ],
    facts: [
      ["Days served", `${notice.servedDays} of ${notice.termDays}`],
      ...(back > 0n ? [["Returned for days not served", amount(back)] as [string, string]] : []),
      ...(kept > 0n ? [["Kept for days not served", amount(kept)] as [string, string]] : []),
    ],
  };
}

function inactivity(notice: Of<"inactivity-ahead">): Words {
  return {
    subject: `An inactivity fee begins on ${notice.firstFeeDay}`,
    preview: "A new contract, or a balance below the minimum withdrawal, avoids it.",
    paragraphs: [
      `You have had no active contract since ${notice.inactiveSince} (UTC). From ${notice.firstFeeDay} on, a fee of 0.0137% of your Bitcoin balance is taken each day, not less than ${btc(terms.inactivityFeeMinimumSats)}. It never takes your balance below ${btc(terms.minimumWithdrawalSats)}.`,
      "A new contract ends it.",
    ],
  };
}

function digest(notice: Of<"mining-digest">): Words {
  const oneDay = notice.fromDay === notice.throughDay;
  const period = oneDay ? notice.fromDay : `${notice.fromDay} to ${notice.throughDay}`;
  const net = notice.creditSats - notice.feeSats;
  return {
    subject: `Mined ${oneDay ? "on" : "from"} ${period}: ${btc(notice.creditSats)}`,
    preview: `After maintenance: ${btc(net)}.`,
    paragraphs: [
      `This is what your contracts mined and what their maintenance cost ${oneDay ? "on" : "from"} ${period} (UTC).`,
    ],
    facts: [
      ["Mined", btc(notice.creditSats)],
      ["Maintenance", btc(notice.feeSats)],
      ["Net", btc(net)],
      ["Net at each day's price", formatUsd(toCents(notice.netUsdMicros))],
      ["Days with a contract", String(notice.days)],
    ],
    closing: ["How often you get this mail is set in your profile."],
  };
}

function per(micros: bigint): string {
  return `$${toDollars(micros)} per TH/s and day`;
}

function withdrawn(notice: Change): Words {
  return {
    subject: `Maintenance of ${notice.plan} stays as it is`,
    preview: `It stays at ${per(notice.fromUsdMicros)}.`,
    paragraphs: [
      `The change that was announced for ${notice.effectiveFrom} is taken back. The maintenance of your contract ${notice.plan} stays at ${per(notice.fromUsdMicros)}.`,
    ],
    facts: [["Was announced", per(notice.toUsdMicros)]],
  };
}

function change(notice: Change): Words {
  return {
    subject: `Maintenance of ${notice.plan} changes on ${notice.effectiveFrom}`,
    preview: `From ${per(notice.fromUsdMicros)} to ${per(notice.toUsdMicros)}.`,
    paragraphs: [
      `The maintenance of your contract ${notice.plan} changes on ${notice.effectiveFrom}, 00:00 UTC. The reason:`,
      notice.reason,
    ],
    facts: [
      ["Until then", per(notice.fromUsdMicros)],
      ["From then on", per(notice.toUsdMicros)],
    ],
  };
}

function btc(sats: bigint): string {
  return amountInWords(sats, "BTC");
}

function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

function toCents(micros: bigint): bigint {
  return micros / 10_000n;
}

/** Millionths of a dollar with all six places that count: "0.030000" as "0.03". */
function toDollars(micros: bigint): string {
  const digits = micros.toString().padStart(7, "0");
  const decimals = digits.slice(-6).replace(/0{1,4}$/, "");
  return `${digits.slice(0, -6)}.${decimals}`;
}
