import type { WithdrawalState } from "#core/payments/withdrawal.ts";

export function toneOf(state: WithdrawalState): "good" | "waiting" | "bad" | "plain" {
  if (state === "settled") return "good";
  if (state === "rejected" || state === "returned") return "bad";
  return state === "cancelled" ? "plain" : "waiting";
}
