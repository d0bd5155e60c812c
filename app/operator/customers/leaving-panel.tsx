import { When } from "#app/ui/figures/when.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";

export interface Leaving {
  state: "waiting" | "leaving" | "erased";
  askedAt: Date;
  eraseAfter: Date | null;
}

/** That a customer wants to leave, or has: what staff must do, if anything. */
export function LeavingPanel({ leaving }: { leaving: Leaving | null }) {
  if (!leaving) return null;
  return <Panel title="Leaving">{words(leaving)}</Panel>;
}

function words({ state, askedAt, eraseAfter }: Leaving) {
  if (state === "waiting") {
    return (
      <Notice tone="warning" title="Wants to close the account">
        Asked on <When at={askedAt} plain />. Something is owed first: decide the deposits that
        wait. Balances wait for withdrawals.
      </Notice>
    );
  }
  if (state === "leaving") {
    return (
      <Notice title="Closed">
        No one can sign in. Erased after <When at={eraseAfter ?? askedAt} plain />, unless the
        customer opens it again by the mailed link.
      </Notice>
    );
  }
  return <Notice title="Erased">This customer has left. The ledger keeps the id alone.</Notice>;
}
