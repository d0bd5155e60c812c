import { Form, Link } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { type DeepReorgState, deepReorgTerms } from "#core/payments/deep-reorg.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import { chainNames } from "#core/wallet/wallet-terms.ts";
import type { DeepReorg } from "#server/chain/list-deep-reorgs.ts";
import styles from "../deposits/deposit.module.css";
import { FourEyes, proposalFacts } from "../parts/four-eyes.tsx";
import { ProposalState } from "../parts/proposal-state.tsx";
import { useMay } from "../parts/use-may.ts";

/** What is confirmed is carried out within a minute, as long as the node has that branch. */
function DeepReorgBadge({ state }: { state: DeepReorgState }) {
  if (state === "done") return <StatusBadge status="Carried out" tone="good" />;
  if (state === "confirmed") return <StatusBadge status="Confirmed, not done yet" tone="waiting" />;
  return <ProposalState state={state} />;
}

/** What the chain has instead of what was settled, and what that touches; null: nothing, or the node does not say. */
export interface ShownDeepReorg {
  oldHeight: number;
  oldHash: string;
  newHash: string;
  forkHeight: number;
  credited: Array<{ asset: Coin; payments: number; units: bigint }>;
  batches: Array<{ id: string; day: string }>;
}

export interface DeepReorgAnswer {
  chain: WalletChain;
  reason: string;
  fault: string;
}

interface DeepReorgPanelProps {
  chain: WalletChain;
  found: ShownDeepReorg | null;
  deepReorgs: DeepReorg[];
  operatorId: string;
  answer: DeepReorgAnswer | undefined;
}

/** A chain that has left blocks which were settled: what two people say of it. */
export function DeepReorgPanel(props: DeepReorgPanelProps) {
  const { chain, found, deepReorgs, operatorId, answer } = props;
  const failed = answer?.chain === chain ? answer : null;
  const standing = deepReorgs.find(
    ({ state, oldHash, newHash }) =>
      (state === "open" || state === "confirmed") &&
      oldHash === found?.oldHash &&
      newHash === found.newHash,
  );
  const open = deepReorgs.find(({ state }) => state === "open");
  if (!found && deepReorgs.length === 0 && !failed) return null;
  return (
    <Panel title={`Settled blocks that left ${chainNames[chain]}`}>
      <div className={styles.form}>
        {found ? <WhatLeft found={found} /> : null}
        {deepReorgs.map((each) => (
          <Facts key={each.id} facts={factsOf(each)} />
        ))}
        <FormAlert errors={failed ? [failed.fault] : null} />
        {open ? (
          <Decide
            chain={chain}
            deepReorgId={open.id}
            isOwn={open.proposedBy === operatorId}
            applies={open === standing}
          />
        ) : null}
        {found && !standing ? (
          <Propose chain={chain} found={found} reason={failed?.reason ?? ""} />
        ) : null}
      </div>
    </Panel>
  );
}

function WhatLeft({ found }: { found: ShownDeepReorg }) {
  const { oldHeight, oldHash, newHash, forkHeight, credited, batches } = found;
  return (
    <Facts
      facts={[
        { label: "Block", value: oldHeight.toLocaleString("en-US") },
        { label: "We read", code: oldHash },
        { label: "The node has", code: newHash },
        { label: "Both are known to have", value: `block ${forkHeight.toLocaleString("en-US")}` },
        {
          label: "Credited after it",
          value:
            credited.length === 0
              ? "nothing"
              : credited.map(({ asset, payments, units }) => (
                  <div key={asset}>
                    <Amount units={units} asset={asset} />, {payments}{" "}
                    {payments === 1 ? "payment" : "payments"}
                  </div>
                )),
        },
        {
          label: "Batches that ended after it",
          value:
            batches.length === 0
              ? "none"
              : batches.map(({ id, day }) => (
                  <div key={id}>
                    <Link to={`/operator/withdrawals/batches/${id}`}>
                      of <Day day={day} />
                    </Link>
                  </div>
                )),
        },
      ]}
    />
  );
}

function factsOf({ oldHeight, forkHeight, ...deepReorg }: DeepReorg) {
  return [
    {
      label: "Said",
      value: `The other branch is right: blocks ${(forkHeight + 1).toLocaleString("en-US")} to ${oldHeight.toLocaleString("en-US")} are left`,
    },
    { label: "State", value: <DeepReorgBadge state={deepReorg.state} /> },
    ...proposalFacts(deepReorg),
  ];
}

function Propose({
  chain,
  found: { oldHash, newHash },
  reason,
}: {
  chain: WalletChain;
  found: ShownDeepReorg;
  reason: string;
}) {
  const may = useMay();
  if (!may("chain/propose-deep-reorg")) return null;
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <p className={layout.note}>
        Propose this only if the whole network has left these blocks: compare both hashes with nodes
        and explorers that are not yours. We then read on after the last block that both have.
        Payments that we find again stay credited. The others are taken back, and no balance falls
        below zero. Payments of batches are sent again as they were signed. A colleague confirms it.
      </p>
      <input type="hidden" name="intent" value="propose-deep-reorg" />
      <input type="hidden" name="chain" value={chain} />
      <input type="hidden" name="oldHash" value={oldHash} />
      <input type="hidden" name="newHash" value={newHash} />
      <TextArea
        name="reason"
        label="What you found"
        description="Where you looked, and what was there"
        rows={3}
        required
        maxLength={deepReorgTerms.reasonMax}
        defaultValue={reason}
      />
      <div>
        <SubmitButton look="quiet">Propose to follow the other branch</SubmitButton>
      </div>
    </Form>
  );
}

function Decide({
  chain,
  deepReorgId,
  isOwn,
  applies,
}: {
  chain: WalletChain;
  deepReorgId: string;
  isOwn: boolean;
  /** Whether the node still has that branch. */
  applies: boolean;
}) {
  return (
    <>
      {applies ? null : <p className={layout.note}>The node no longer has that branch.</p>}
      <FourEyes
        isOwn={isOwn}
        canConfirm={applies}
        confirm={{
          needs: "chain/confirm-deep-reorg",
          intent: "confirm-deep-reorg",
          button: "Confirm proposal",
        }}
        decline={{
          needs: "chain/decline-deep-reorg",
          intent: "decline-deep-reorg",
          button: "Decline",
        }}
        hidden={{ chain, deepReorgId }}
      />
    </>
  );
}
