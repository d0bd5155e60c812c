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
  isException,
}: {
  state: WithdrawalState;
  heldUntil?: Date | null;
  isException: boolean;
}) {
  if (isException) return <StatusBadge status="Look at it" tone="bad" />;
  if (heldUntil) return <StatusBadge status="Held" tone="waiting" />;
  return <StatusBadge status={withdrawalStateWords[state]} tone={tones[state]} />;
}
