import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { readFailures } from "#core/payments/read-failures.ts";
import { isSilent } from "#core/payments/silence.ts";
import type { ListedSource } from "#server/news/list-sources.ts";
import list from "../parts/console-list.module.css";

/** How the reading of a feed goes, and when it is tried again. */
export function NewsSourceState({ source, now }: { source: ListedSource; now: Date }) {
  const { failures, lastFailure, nextReadAt, readAt } = source;
  // Every five minutes a worker reads the feeds that are due.
  if (isSilent(nextReadAt, 300, now)) {
    return (
      <>
        <StatusBadge status="not read any more" tone="bad" />
        <div className={list.second}>
          Due since <When at={nextReadAt} />
        </div>
      </>
    );
  }
  if (failures === 0 && !readAt) return <StatusBadge status="not read yet" tone="waiting" />;
  if (failures === 0 || !lastFailure) return <StatusBadge status="read" tone="good" />;
  return (
    <>
      <StatusBadge status={failures === 1 ? "failed" : `failed ${failures} times`} tone="bad" />
      <div className={list.error}>{readFailures[lastFailure]}.</div>
      <div className={list.second}>
        Again <When at={nextReadAt} />
      </div>
    </>
  );
}
