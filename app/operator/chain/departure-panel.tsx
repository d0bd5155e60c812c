import { Form, Link } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Day } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { Coin } from "#core/asset.ts";
import { type DepartureState, departureTerms } from "#core/payments/departure.ts";
import type { WalletChain } from "#core/wallet/wallet-key.ts";
import type { Departure } from "#server/chain/list-departures.ts";
import styles from "../deposits/deposit.module.css";
import { FourEyes, proposalFacts } from "../parts/four-eyes.tsx";
import { ProposalState } from "../parts/proposal-state.tsx";
import { useMay } from "../parts/use-may.ts";

const grouped = new Intl.NumberFormat("en-US");
const names: Record<WalletChain, string> = { bitcoin: "Bitcoin", ethereum: "Ethereum" };

/** What is confirmed is carried out within a minute, as long as the node has that branch. */
function DepartureBadge({ state }: { state: DepartureState }) {
  if (state === "done") return <StatusBadge status="Carried out" tone="good" />;
  if (state === "confirmed") return <StatusBadge status="Confirmed, not done yet" tone="waiting" />;
  return <ProposalState state={state} />;
}

/** What the chain has instead of what was settled, and what that touches; null: nothing, or the node does not say. */
export interface ShownDeparture {
  oldHeight: number;
  oldHash: string;
  newHash: string;
  forkHeight: number;
  credited: Array<{ asset: Coin; payments: number; units: bigint }>;
  batches: Array<{ id: string; day: string }>;
}

export interface DepartureAnswer {
  chain: WalletChain;
  reason: string;
  fault: string;
}

interface DeparturePanelProps {
  chain: WalletChain;
  found: ShownDeparture | null;
  departures: Departure[];
  operatorId: string;
  answer: DepartureAnswer | undefined;
}

/** A chain that has left blocks which were settled: what two people say of it. */
export function DeparturePanel(props: DeparturePanelProps) {
  const { chain, found, departures, operatorId, answer } = props;
  const failed = answer?.chain === chain ? answer : null;
  const standing = departures.find(
    ({ state, oldHash, newHash }) =>
      (state === "open" || state === "confirmed") &&
      oldHash === found?.oldHash &&
      newHash === found.newHash,
  );
  const open = departures.find(({ state }) => state === "open");
  if (!found && departures.length === 0 && !failed) return null;
  return (
    <Panel title={`Settled blocks that left ${names[chain]}`}>
      <div className={styles.form}>
        {found ? <WhatLeft found={found} /> : null}
        {departures.map((each) => (
          <Facts key={each.id} facts={factsOf(each)} />
        ))}
        <FormAlert errors={failed ? [failed.fault] : null} />
        {open ? (
          <Decide
            chain={chain}
            departureId={open.id}
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

function WhatLeft({ found }: { found: ShownDeparture }) {
  const { oldHeight, oldHash, newHash, forkHeight, credited, batches } = found;
  return (
    <Facts
      facts={[
        { label: "Block", value: grouped.format(oldHeight) },
        { label: "We read", value: <code className={styles.code}>{oldHash}</code> },
        { label: "The node has", value: <code className={styles.code}>{newHash}</code> },
        { label: "Both are known to have", value: `block ${grouped.format(forkHeight)}` },
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

function factsOf({ oldHeight, forkHeight, ...departure }: Departure) {
  return [
    {
      label: "Said",
      value: `The other branch is right: blocks ${grouped.format(forkHeight + 1)} to ${grouped.format(oldHeight)} are left`,
    },
    { label: "State", value: <DepartureBadge state={departure.state} /> },
    ...proposalFacts(departure),
  ];
}

function Propose({
  chain,
  found: { oldHash, newHash },
  reason,
}: {
  chain: WalletChain;
  found: ShownDeparture;
  reason: string;
}) {
  const may = useMay();
  if (!may("chain/propose-departure")) return null;
  return (
    <Form method="post" preventScrollReset className={styles.form}>
      <p className={styles.note}>
        Propose this only if the whole network has left these blocks: compare both hashes with nodes
        and explorers that are not yours. We then read on after the last block that both have.
        Payments that we find again stay credited. The others are taken back, and no balance falls
        below zero. Payments of batches are sent again as they were signed. A colleague confirms it.
      </p>
      <input type="hidden" name="intent" value="propose-departure" />
      <input type="hidden" name="chain" value={chain} />
      <input type="hidden" name="oldHash" value={oldHash} />
      <input type="hidden" name="newHash" value={newHash} />
      <TextArea
        name="reason"
        label="What you found"
        description="Where you looked, and what was there"
        rows={3}
        required
        maxLength={departureTerms.reasonMax}
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
  departureId,
  isOwn,
  applies,
}: {
  chain: WalletChain;
  departureId: string;
  isOwn: boolean;
  /** Whether the node still has that branch. */
  applies: boolean;
}) {
  return (
    <>
      {applies ? null : <p className={styles.note}>The node no longer has that branch.</p>}
      <FourEyes
        isOwn={isOwn}
        canConfirm={applies}
        confirm={{
          needs: "chain/confirm-departure",
          intent: "confirm-departure",
          button: "Confirm proposal",
        }}
        decline={{
          needs: "chain/decline-departure",
          intent: "decline-departure",
          button: "Decline",
        }}
        hidden={{ chain, departureId }}
      />
    </>
  );
}
