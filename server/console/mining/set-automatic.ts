import { writeDecimal } from "#core/decimal.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "#server/identity/audit/act-as-operator.ts";
import type { ActingOperator } from "#server/identity/staff/operator.ts";
import { changeRunSettings } from "#server/mining/days/change-run-settings.ts";
import { getRunSettings, type RunSettings } from "#server/mining/days/get-run-settings.ts";
import type { Db } from "#server/platform/database.ts";
import { sql } from "#server/platform/sql.ts";

/**
 * Says whether days are posted by themselves, and from what difference to the reference on one waits for a person. `seen` is the number of
 * the settings that were shown: what a colleague has switched off meanwhile is not switched on again. Saying the same changes nothing.
 *
 * @throws Refusal `mining/settings-changed-meanwhile`, and as `actAsOperator` does
 */
export function setAutomatic(
  db: Db,
  operator: ActingOperator,
  { seen, ...settings }: Omit<RunSettings, "number"> & { seen: number },
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select lock_fact('mining settings')`);
    const before = await getRunSettings(tx);
    const isSame =
      before.byItself === settings.byItself &&
      before.mostDeviationPpm === settings.mostDeviationPpm;
    if (isSame) return;
    if (before.number !== seen) throw new Refusal("mining/settings-changed-meanwhile");
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
    await actAsOperator(tx, operator, act, (inner, actionId) =>
      changeRunSettings(inner, { ...settings, actionId, now }),
    );
  });
}

function percentOf({ mostDeviationPpm }: Pick<RunSettings, "mostDeviationPpm">): string {
  return writeDecimal(BigInt(mostDeviationPpm), 4);
}
