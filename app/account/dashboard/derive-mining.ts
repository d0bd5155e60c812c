import { usdMicros } from "#core/mining/maintenance.ts";
import { estimateRunway, type Runway } from "#core/mining/runway.ts";
import { addDays, formatDay } from "#core/utc-day.ts";
import type { OpenContracts } from "#server/mining/contracts/list-open-contracts.ts";
import type { EarnedDay } from "#server/mining/days/list-newest-days.ts";

/** What contracts brought in some UTC days. */
export interface Earned {
  minedSats: bigint;
  feeSats: bigint;
  /** Mined less maintenance, each day at its own price. */
  netUsdMicros: bigint;
}

/** The panel of mining on a dashboard. */
export interface MiningNow {
  /** The newest settled day; null before the first. */
  newest: (Earned & { day: string }) | null;
  /** The month that today is in, by UTC. */
  month: Earned & { name: string };
  /** What the last days brought after maintenance, oldest first. */
  days: string[];
  netSats: bigint[];
  active: { ghs: bigint; contracts: number };
  /** Bought, and not begun. */
  waiting: number;
  next: NextEvent[];
  runway: Runway | null;
}

/** What comes next: a day that is credited, the first or the last day of contracts. */
export type NextEvent =
  | { kind: "credit"; day: string; isOver: boolean }
  | { kind: "start" | "end"; day: string; contracts: string; contractId: string | null };

/** Days of the chart. */
const shownDays = 14;

/** What mining does for a customer now; null for who has no contract and had none in the last days. */
export function deriveMining(known: {
  days: readonly EarnedDay[];
  open: readonly OpenContracts[];
  availableSats: bigint;
  btcUsdE8: bigint | null;
  today: string;
}): MiningNow | null {
  const { open, availableSats, btcUsdE8, today } = known;
  const month = known.days.filter(({ day }) => day.slice(0, 7) === today.slice(0, 7));
  const days = known.days.slice(0, shownDays);
  if (open.length === 0 && days.length === 0) return null;
  const [newest] = days;
  const running = open.filter(({ startsOn }) => startsOn <= today);
  return {
    newest: newest ? { day: newest.day, ...earnedIn([newest]) } : null,
    month: { name: formatDay(today).replace(/^\d+ /, ""), ...earnedIn(month) },
    days: days.map(({ day }) => day).reverse(),
    netSats: days.map(({ minedSats, feeSats }) => minedSats - feeSats).reverse(),
    active: {
      ghs: running.reduce((sum, { ghs }) => sum + ghs, 0n),
      contracts: countOf(running),
    },
    waiting: countOf(open) - countOf(running),
    next: nextEvents(open, newest?.day ?? null, today),
    runway: btcUsdE8
      ? estimateRunway({ availableSats, contracts: open, days: known.days, btcUsdE8 })
      : null,
  };
}

function earnedIn(days: readonly EarnedDay[]): Earned {
  const sum = (of: (day: EarnedDay) => bigint) => days.reduce((all, day) => all + of(day), 0n);
  return {
    minedSats: sum(({ minedSats }) => minedSats),
    feeSats: sum(({ feeSats }) => feeSats),
    netUsdMicros: sum(({ minedSats, feeSats, btcUsdE8 }) =>
      usdMicros(minedSats - feeSats, btcUsdE8),
    ),
  };
}

function countOf(open: readonly OpenContracts[]): number {
  return open.reduce((sum, { contracts }) => sum + contracts, 0);
}

/** The next day that is credited, and the first or last day that comes soonest. */
function nextEvents(
  open: readonly OpenContracts[],
  newest: string | null,
  today: string,
): NextEvent[] {
  const [firstStart] = open.map(({ startsOn }) => startsOn).sort();
  if (!firstStart) return [];
  const unsettled = newest !== null && newest >= firstStart ? addDays(newest, 1) : firstStart;
  const credit: NextEvent[] =
    unsettled <= today ? [{ kind: "credit", day: unsettled, isOver: unsettled < today }] : [];
  // What should have ended by now is served as soon as its last day is credited: that day is the event before.
  const coming = open.filter(({ lastDay }) => lastDay >= today);
  const turns = coming.map((group): NextEvent & { day: string } => {
    const isWaiting = group.startsOn > today;
    return {
      kind: isWaiting ? "start" : "end",
      day: isWaiting ? group.startsOn : group.lastDay,
      contracts: `${group.quantity} × ${group.planName}`,
      contractId: group.contracts === 1 ? group.contractId : null,
    };
  });
  const [soonest] = turns.toSorted((a, b) => a.day.localeCompare(b.day));
  return soonest ? [...credit, soonest] : credit;
}
