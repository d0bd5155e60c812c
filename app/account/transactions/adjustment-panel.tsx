import { Link } from "react-router";
import { When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { findOwnAdjustment } from "#server/adjustments/find-own-adjustment.ts";
import styles from "./evidence.module.css";

type OwnAdjustment = NonNullable<Awaited<ReturnType<typeof findOwnAdjustment>>>;

/** What the operator gave, or took back, by hand: why, and how it was decided. */
export function AdjustmentPanel({ adjustment }: { adjustment: OwnAdjustment }) {
  const { kind, reason, proposedAt, decidedAt, evidenceSha256, reversedByTransfer } = adjustment;
  return (
    <Panel title="Why we did it">
      <p className={styles.note}>{words[kind]}</p>
      <Facts
        facts={[
          { label: "Reason", value: reason },
          { label: "Proposed", value: <When at={proposedAt} beside /> },
          decidedAt !== null && {
            label: "Approved by another person",
            value: <When at={decidedAt} beside />,
          },
          evidenceSha256 !== null && {
            label: "Evidence kept, SHA-256",
            value: <code>{evidenceSha256}</code>,
          },
          reversedByTransfer !== null && {
            label: "Reversed by",
            value: <Link to={`/account/evidence/${reversedByTransfer}`}>a later transfer</Link>,
          },
        ]}
      />
    </Panel>
  );
}

const words: Record<OwnAdjustment["kind"], string> = {
  goodwill:
    "Goodwill: we gave it to you out of our own money, to make up for something. It is neither a mining credit nor a deposit.",
  subsidy:
    "A subsidy: we carry a part of what something costs you, out of our own money. It is neither a mining credit nor a deposit.",
  reversal: "We reversed what we had given you. The first transfer is unchanged.",
  "equity-funding": "The operator's own money.",
  "equity-drawing": "The operator's own money.",
  "wallet-transfer": "The operator's own wallets.",
};
