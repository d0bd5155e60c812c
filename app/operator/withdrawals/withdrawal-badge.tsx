import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { type WithdrawalState, withdrawalStateWords } from "#core/payments/withdrawal.ts";

const tones: Record<WithdrawalState, "good" | "waiting" | "bad" | "plain"> = {
  requested: "waiting",
  confirmed: "waiting",
  approved: "waiting",
  batched: "waiting",
  broadcast: "waiting",
  settled: "good",
  cancelled: "plain",
  rejected: "bad",
  returned: "plain",
};

/** Where a withdrawal stands, for staff: what keeps it from going on comes before its state. */
export function WithdrawalBadge({
  state,
  heldUntil = null,
  failedAt = null,
  isException,
}: {
  state: WithdrawalState;
  heldUntil?: Date | null;
  failedAt?: Date | null;
  isException: boolean;
}) {
  if (isException) return <StatusBadge status="Look at it" tone="bad" />;
  if (heldUntil) return <StatusBadge status="Held" tone="waiting" />;
  if (failedAt) return <StatusBadge status="Would fail" tone="bad" />;
  return <StatusBadge status={withdrawalStateWords[state]} tone={tones[state]} />;
}
