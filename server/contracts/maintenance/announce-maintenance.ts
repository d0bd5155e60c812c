import { writeDecimal } from "#core/decimal.ts";
import { Refusal } from "#core/refusal.ts";
import { terms } from "#core/terms.ts";
import { eq } from "#server/platform/sql.ts";
import { actAsOperator } from "../../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../../identity/staff/operator.ts";
import type { Db, Tx } from "../../platform/database.ts";
import { enqueue } from "../../platform/jobs/jobs.ts";
import { refusedBy } from "../../platform/refused-by.ts";
import { sentBefore } from "../../platform/sent-before.ts";
import { lockVersion } from "../plans/lock-version.ts";
import { refusals } from "../refusals.ts";
import { maintenanceChanges } from "../schema.ts";
import { maintenanceOn } from "./list-maintenance-changes.ts";

export interface WantedChange {
  /** Made with the form. */
  changeId: string;
  versionId: string;
  /** The first UTC day that costs it. */
  effectiveFrom: string;
  /** Of one TH/s for one day. */
  usdMicros: bigint;
  /** As customers read it. */
  reason: string;
}

/**
 * Announces what the maintenance of a version costs from a day on, at least seven days ahead, and has everybody told who
 * runs it. The same id again is the same change. Enqueues `contracts/notify-of-maintenance`.
 *
 * @throws Refusal `plans/no-such-version`, `contracts/no-such-version` (a draft is changed, not announced), `contracts/too-early`,
 * `contracts/day-taken`, `contracts/nothing-to-change`, `contracts/implausible-maintenance`, `contracts/reason-missing`,
 * `contracts/second-person-needed` (by more than half, or twice in four weeks, where a colleague could announce it),
 * `contracts/change-cancelled` (this very form announced it before), `platform/sent-otherwise`, and as `actAsOperator` does
 */
export function announceMaintenance(
  db: Db,
  operator: ActingOperator,
  wanted: WantedChange,
  now: Date,
): Promise<void> {
  const { changeId, versionId, effectiveFrom, usdMicros } = wanted;
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockOffered(tx, versionId);
      const reason = wanted.reason.trim();
      const change = { id: changeId, planVersionId: versionId, effectiveFrom, usdMicros, reason };
      if (await isAnnounced(tx, change)) return;
      if (effectiveFrom < earliestChange(now)) throw new Refusal("contracts/too-early");
      const before = await maintenanceOn(tx, versionId, effectiveFrom);
      if (before === usdMicros) throw new Refusal("contracts/nothing-to-change");
      const act = {
        act: "contracts/announce-maintenance" as const,
        subject: `plan-version:${versionId}`,
        detail: {
          changeId,
          from: effectiveFrom,
          usdPerThsDay: writeDecimal(usdMicros, 6),
          before: writeDecimal(before, 6),
          reason,
        },
        now,
      };
      await actAsOperator(tx, operator, act, async (inner, actionId) => {
        await inner.insert(maintenanceChanges).values({ ...change, announcedAt: now, actionId });
        await notifyOfMaintenanceLater(inner, { changeId, after: null });
      });
    }),
  );
}

type Change = typeof maintenanceChanges.$inferSelect;

async function isAnnounced(tx: Tx, change: Pick<Change, "id"> & Partial<Change>): Promise<boolean> {
  const m = maintenanceChanges;
  const [sent] = await tx.select().from(m).where(eq(m.id, change.id));
  if (!sentBefore(sent, change)) return false;
  if (sent.withdrawnAt) throw new Refusal("contracts/change-cancelled");
  return true;
}

/** Changes of a version are announced one after another. */
async function lockOffered(tx: Tx, versionId: string): Promise<void> {
  const { state } = await lockVersion(tx, versionId);
  if (state === "draft") throw new Refusal("contracts/no-such-version");
}

/** The first UTC day that a change announced now may begin with. */
export function earliestChange(now: Date): string {
  const noticeMs = terms.maintenanceChangeNoticeDays * 86_400_000;
  const dayMs = 86_400_000;
  const first = Math.ceil((now.getTime() + noticeMs) / dayMs) * dayMs;
  return new Date(first).toISOString().slice(0, 10);
}

/** Has the next customers told, if the caller's transaction commits. Enqueues `contracts/notify-of-maintenance`. */
export async function notifyOfMaintenanceLater(
  tx: Tx,
  { changeId, after }: { changeId: string; after: string | null },
): Promise<void> {
  const key = `maintenance-change:${changeId}:${after ?? "first"}`;
  await enqueue(tx, "contracts/notify-of-maintenance", { changeId, after }, { key });
}
