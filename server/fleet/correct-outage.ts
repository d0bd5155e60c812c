import { writeThs } from "#core/mining/hashrate.ts";
import { Refusal } from "#core/refusal.ts";
import { actAsOperator } from "../identity/audit/act-as-operator.ts";
import type { ActingOperator } from "../identity/staff/operator.ts";
import type { Db } from "../platform/database.ts";
import { refusedBy } from "../platform/refused-by.ts";
import { lockFleet } from "./lock-fleet.ts";
import { lockOutage, requireStanding } from "./lock-outage.ts";
import { refusals } from "./refusals.ts";
import { type OutageWords, requirePlausibleOutage } from "./require-plausible-outage.ts";
import { outages } from "./schema.ts";

/**
 * Replaces what was noted of an outage. The words before stay, for staff and for receipts of days that were posted while
 * they stood; what was credited is not touched, for an outage explains and is no input. The same correction again is the
 * same one. `seenEnd` is the end that its author was shown: one that was noted meanwhile is not lost.
 *
 * @throws Refusal `fleet/no-such-outage`, `fleet/outage-changed-meanwhile`, `fleet/nothing-to-correct`,
 *   `fleet/correction-unexplained`, and as `recordOutage` does
 */
export function correctOutage(
  db: Db,
  operator: ActingOperator,
  wanted: OutageWords & {
    outageId: string;
    correctionId: string;
    seenEnd: Date | null;
    why: string;
  },
  now: Date,
): Promise<void> {
  const { outageId, correctionId, seenEnd, why, ...rest } = wanted;
  const words = { ...rest, reason: wanted.reason.trim() };
  return refusedBy(refusals, () =>
    db.transaction(async (tx) => {
      await lockFleet(tx);
      const outage = await lockOutage(tx, outageId);
      if (outage.correctedBy === correctionId) return;
      requireStanding(outage);
      if (outage.endedAt?.getTime() !== seenEnd?.getTime()) {
        throw new Refusal("fleet/outage-changed-meanwhile");
      }
      if (saysTheSame(words, outage)) throw new Refusal("fleet/nothing-to-correct");
      await requirePlausibleOutage(tx, words, now);
      const act = {
        act: "fleet/correct-outage" as const,
        subject: `outage:${outageId}`,
        detail: {
          siteId: words.siteId,
          deliveryId: words.deliveryId,
          since: words.startedAt.toISOString(),
          until: words.endedAt?.toISOString() ?? null,
          lostThs: writeThs(words.lostGhs),
          reason: words.reason,
          why: why.trim(),
        },
        now,
      };
      await actAsOperator(tx, operator, act, (inner, actionId) =>
        inner.insert(outages).values({
          id: correctionId,
          ...words,
          endActionId: words.endedAt ? actionId : null,
          corrects: outageId,
          correctionReason: why.trim(),
          createdAt: now,
          actionId,
        }),
      );
    }),
  );
}

function saysTheSame(one: OutageWords, other: OutageWords): boolean {
  return (
    one.siteId === other.siteId &&
    one.deliveryId === other.deliveryId &&
    one.startedAt.getTime() === other.startedAt.getTime() &&
    one.endedAt?.getTime() === other.endedAt?.getTime() &&
    one.lostGhs === other.lostGhs &&
    one.reason === other.reason
  );
}
