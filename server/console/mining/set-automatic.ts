import { writeDecimal } from "#core/decimal.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { changeRunSettings } from "#server/mining/days/change-run-settings.ts";
import { getRunSettings, type RunSettings } from "#server/mining/days/get-run-settings.ts";
import type { Db } from "#server/platform/database.ts";

/** Says whether days are posted by themselves, and from what difference to the reference on one waits for a person. */
export async function setAutomatic(
  db: Db,
  operator: ActingOperator,
  settings: RunSettings,
  now: Date,
): Promise<void> {
  const before = await getRunSettings(db);
  const isSame =
    before.byItself === settings.byItself && before.mostDeviationPpm === settings.mostDeviationPpm;
  if (isSame) return;
  const act = {
    act: "mining/set-automatic" as const,
    subject: "mining",
    detail: {
      byItself: settings.byItself,
      mostPercent: percentOf(settings),
      byItselfBefore: before.byItself,
      mostPercentBefore: percentOf(before),
    },
    now,
  };
  await actAsOperator(db, operator, act, (tx, actionId) =>
    changeRunSettings(tx, { ...settings, actionId, now }),
  );
}

function percentOf({ mostDeviationPpm }: RunSettings): string {
  return writeDecimal(BigInt(mostDeviationPpm), 4);
}
