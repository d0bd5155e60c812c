import { formatAmount } from "#core/money.ts";
import { actAsOperator } from "#server/identity/act-as-operator.ts";
import type { Operator } from "#server/identity/operator.ts";
import { openMiningDay } from "#server/mining/open-mining-day.ts";
import { postMiningDay } from "#server/mining/post-mining-day.ts";
import { previewMiningDay } from "#server/mining/preview-mining-day.ts";
import { findRun } from "#server/mining/queries.ts";
import type { Db } from "#server/platform/database.ts";

/**
 * Posts a UTC day as a member of staff. The day's inputs are frozen in the transaction of the act; credits follow, and
 * if this process dies any other one goes on. Posting what is posted changes nothing, and is no act.
 *
 * @throws Refusal as `openMiningDay` and `actAsOperator` do
 */
export async function postDayAsOperator(
  db: Db,
  operator: Pick<Operator, "id" | "requestId">,
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
    await actAsOperator(db, operator, act, (tx, actionId) =>
      openMiningDay(tx, day, { now, actionId }),
    );
  }
  if (known?.state !== "posted") await postMiningDay(db, day, now);
}
