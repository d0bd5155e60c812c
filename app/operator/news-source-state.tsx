import { StatusBadge } from "#app/ui/status-badge.tsx";
import { When } from "#app/ui/when.tsx";
import { readFailures } from "#core/read-failures.ts";
import type { ListedSource } from "#server/news/queries.ts";
import list from "./console-list.module.css";

/** How the reading of a feed goes, and when it is tried again. */
export function NewsSourceState({ source }: { source: ListedSource }) {
  const { failures, lastFailure, nextReadAt, readAt } = source;
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
