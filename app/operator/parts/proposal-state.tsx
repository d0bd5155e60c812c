import { StatusBadge } from "#app/ui/figures/status-badge.tsx";

type State = "open" | "confirmed" | "declined";

const words: Record<State, string> = {
  open: "Waits for a colleague",
  confirmed: "Confirmed",
  declined: "Declined",
};
const tones = { open: "waiting", confirmed: "good", declined: "plain" } as const;

/** What became of a proposal that takes two people. */
export function ProposalState({ state }: { state: State }) {
  return <StatusBadge status={words[state]} tone={tones[state]} />;
}
