import { formatAmount } from "#core/money.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { findRun } from "#server/mining/days/find-run.ts";
import { openMiningDay } from "#server/mining/days/open-mining-day.ts";
import { postMiningDayLater } from "#server/mining/days/post-mining-day.ts";
import { previewMiningDay } from "#server/mining/days/preview-mining-day.ts";
import type { Db } from "#server/platform/database.ts";

/**
 * Has a UTC day posted as a member of staff. The day's inputs are frozen in the transaction of the act; the worker does the
 * rest, and if it dies another one goes on. Asking for what is asked for or posted changes nothing, and is no act.
 *
 * @throws Refusal as `openMiningDay` and `actAsOperator` do
 */
export async function postDayAsOperator(
  db: Db,
  operator: ActingOperator,
  day: string,
  now: Date,
): Promise<void> {
  const known = await findRun(db, day);
  if (!known) {
    const { payoutSats, contracts, deviationPpm } = await previewMiningDay(db, day, now);
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
      await postMiningDayLater(tx, day);
    }).catch((error: unknown) => {
      if (!(error instanceof OpenedMeanwhile)) throw error;
    });
  } else if (known.state === "posting") {
    await postMiningDayLater(db, day);
  }
}

/** Another click was first: this one is no act, and leaves none. */
class OpenedMeanwhile extends Error {}
