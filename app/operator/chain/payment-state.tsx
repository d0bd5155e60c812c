import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import type { Needed } from "#server/chain/payment.ts";
import type { PaymentCase } from "#server/deposits/payments/list-payments-for-staff.ts";

export type StatedPayment = Omit<PaymentCase, "customerId"> & {
  needed: Needed;
  isConfirmed: boolean;
};

/** What became of a payment, in a word. */
export function PaymentState({ payment }: { payment: StatedPayment }) {
  const { state, settledAt, isConfirmed, resolvedAs, refusal } = payment;
  if (resolvedAs === "operators") return <StatusBadge status="The operator's own" tone="plain" />;
  if (resolvedAs === "set-aside") return <StatusBadge status="Set aside" tone="plain" />;
  if (state === "mined" && settledAt) return <StatusBadge status="Credited" />;
  if (state === "mined" && isConfirmed && refusal) {
    return <StatusBadge status="Cannot be credited" tone="bad" />;
  }
  if (state === "mined") return <StatusBadge status="Confirming" tone="waiting" />;
  if (state === "seen") return <StatusBadge status="Seen" tone="waiting" />;
  return <StatusBadge status={state === "dropped" ? "Replaced" : "Left the chain"} tone="bad" />;
}

/** "1 of 3", "12" once there are more than are needed, or whether its block is final; null where no block holds it. */
export function confirmationsOf({
  state,
  confirmations,
  needed,
  isFinal,
}: Pick<StatedPayment, "state" | "confirmations" | "needed" | "isFinal">): string | null {
  if (state !== "mined") return null;
  if (needed !== "finalized") {
    return (confirmations ?? 0) > needed ? `${confirmations}` : `${confirmations} of ${needed}`;
  }
  return `${confirmations}, ${isFinal ? "final" : "not final yet"}`;
}
