import { Amount } from "#app/ui/figures/amount.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import type { PaymentRulingRow } from "#server/deposits/payments/list-rulings.ts";
import { counted } from "../parts/counted.ts";
import { FourEyes, proposalFacts } from "../parts/four-eyes.tsx";
import { ProposalState } from "../parts/proposal-state.tsx";
import { rulingWords } from "./payment-words.ts";

/** What was proposed of a payment or a deposit, why, and by whom. */
export function RulingFacts({ ruling }: { ruling: PaymentRulingRow }) {
  return <Facts facts={factsOf(ruling)} />;
}

function factsOf({ says, state, payments, units, asset, ...rest }: PaymentRulingRow) {
  return [
    { label: "Proposed", value: rulingWords[says] },
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
export function DecideRuling({ ruling, isOwn }: { ruling: PaymentRulingRow; isOwn: boolean }) {
  return (
    <FourEyes
      isOwn={isOwn}
      confirm={{
        needs: "deposits/confirm-ruling",
        intent: "confirm-ruling",
        button: "Confirm proposal",
      }}
      decline={{ needs: "deposits/decline-ruling", intent: "decline-ruling", button: "Decline" }}
      hidden={{ rulingId: ruling.id }}
    />
  );
}
