import { formatAmount } from "#core/money.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { findRun } from "#server/mining/days/find-run.ts";
import { openMiningDay } from "#server/mining/days/open-mining-day.ts";
import { postMiningDayLater } from "#server/mining/days/post-mining-day.ts";
import { type MiningPreview, previewMiningDay } from "#server/mining/days/preview-mining-day.ts";
import type { Db } from "#server/platform/database.ts";

/** By what staff tell one preview of a day from another: all that its credits and fees are worked out of. */
export function markOfDay(of: DayInputs): string {
  const { payoutSats, carriedSats, deliveredGhs, activeGhs, contracts, btcUsdE8 } = of;
  return [payoutSats, carriedSats, deliveredGhs, activeGhs, contracts, btcUsdE8].join(" ");
}

type DayInputs = Pick<
  MiningPreview,
  "payoutSats" | "carriedSats" | "deliveredGhs" | "activeGhs" | "contracts" | "btcUsdE8"
>;

/**
 * Has a UTC day posted as a member of staff, as its preview said. The day's inputs are frozen in the transaction of the act; the worker
 * does the rest, and if it dies another one goes on. Asking for what is asked for or posted changes nothing, and is no act.
 *
 * @param seen `markOfDay` of the preview
 * @throws Refusal `mining/day-changed` where it would be posted otherwise, and as `openMiningDay` and `actAsOperator` do
 */
export async function postDayAsOperator(
  db: Db,
  operator: ActingOperator,
  { day, seen }: { day: string; seen: string },
  now: Date,
): Promise<void> {
  const known = await findRun(db, day);
  if (!known) {
    const preview = await previewMiningDay(db, day, now);
    const { payoutSats, contracts, deviationPpm } = preview;
    const act = {
      act: "mining/post-day" as const,
      subject: `mining-day:${day}`,
      detail: {
        payoutBtc: formatAmount(payoutSats, "BTC"),
        contracts,
        deviationPpm: deviationPpm === null ? null : `${deviationPpm}`,
      },
      now,
    };
    await actAsOperator(db, operator, act, async (tx, actionId) => {
      const { opened } = await openMiningDay(tx, day, { now, actionId });
      if (!opened) throw new OpenedMeanwhile();
      for (const found of [preview, await findRun(tx, day)]) requireSeen(found, seen);
      await postMiningDayLater(tx, day);
    }).catch((error: unknown) => {
      if (!(error instanceof OpenedMeanwhile)) throw error;
    });
  } else if (known.state === "posting") {
    await postMiningDayLater(db, day);
  }
}

function requireSeen(found: DayInputs | null, seen: string): void {
  if (!found || markOfDay(found) !== seen) throw new Refusal("mining/day-changed");
}

/** Another click was first: this one is no act, and leaves none. */
class OpenedMeanwhile extends Error {}
