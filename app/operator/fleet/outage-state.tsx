import { StatusBadge } from "#app/ui/figures/status-badge.tsx";

/** What became of an outage, beside its times. Nothing to add of one that is over and stands as it was noted first. */
export function OutageState({
  outage: { endedAt, withdrawnAt, isCorrected },
}: {
  outage: { endedAt: Date | null; withdrawnAt: Date | null; isCorrected: boolean };
}) {
  if (withdrawnAt) return <StatusBadge status="taken back" tone="plain" />;
  return (
    <>
      {endedAt ? null : <StatusBadge status="goes on" tone="waiting" />}
      {isCorrected ? <StatusBadge status="corrected" tone="plain" /> : null}
    </>
  );
}
