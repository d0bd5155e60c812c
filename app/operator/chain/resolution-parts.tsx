import { Amount } from "#app/ui/figures/amount.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import type { PaymentResolutionRow } from "#server/deposits/payments/list-resolutions.ts";
import { counted } from "../parts/counted.ts";
import { FourEyes, proposalFacts } from "../parts/four-eyes.tsx";
import { ProposalState } from "../parts/proposal-state.tsx";
import { resolutionWords } from "./payment-words.ts";

/** What was proposed of a payment or a deposit, why, and by whom. */
export function ResolutionFacts({ resolution }: { resolution: PaymentResolutionRow }) {
  return <Facts facts={factsOf(resolution)} />;
}

function factsOf({ says, state, payments, units, asset, ...rest }: PaymentResolutionRow) {
  return [
    { label: "Proposed", value: resolutionWords[says] },
    payments > 1 && {
      label: "For",
      value: (
        <>
          {counted(payments, "payment")}, <Amount units={units ?? 0n} asset={asset} />
        </>
      ),
    },
    { label: "State", value: <ProposalState state={state} /> },
    ...proposalFacts({ state, ...rest }),
  ];
}

/** Confirms what a colleague proposed, or declines it, or cancels one's own. */
export function DecideResolution({
  resolution,
  isOwn,
}: {
  resolution: PaymentResolutionRow;
  isOwn: boolean;
}) {
  return (
    <FourEyes
      isOwn={isOwn}
      confirm={{
        needs: "deposits/confirm-resolution",
        intent: "confirm-resolution",
        button: "Confirm proposal",
      }}
      decline={{
        needs: "deposits/decline-resolution",
        intent: "decline-resolution",
        button: "Decline",
      }}
      hidden={{ resolutionId: resolution.id }}
    />
  );
}
