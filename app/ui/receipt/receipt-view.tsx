import type { ReactNode } from "react";
import { Amount, UsdMicros } from "#app/ui/figures/amount.tsx";
import { CopyField } from "#app/ui/figures/copy-field.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Panel } from "#app/ui/page/panel.tsx";
import { wholeDayPpm } from "#core/mining/credit.ts";
import { formatGhs } from "#core/mining/hashrate-words.ts";
import { creditByNow, type ReceiptFigures } from "#core/mining/recompute-receipt.ts";
import { formatUsdMicros } from "#core/money.ts";
import { formatPrice } from "#core/price.ts";
import { OutagesThen, type OutageThenShown } from "./outages-then.tsx";
import { percentOf } from "./percent-of.ts";
import styles from "./receipt.module.css";

export interface EvidenceShown {
  payoutId: string;
  pool: string;
  units: bigint;
  deliveredGhs: bigint;
  txid: string | null;
  statementName: string | null;
  statementSha256: string | null;
  /** Where our worker read it; null: staff entered it. */
  askedHost: string | null;
  recordedAt: Date;
  covered: boolean;
  coins:
    | { txid: string; output: number; height: number; blockHash: string; units: bigint }[]
    | null;
  unseenReason: string | null;
  unseenBy: string | null;
}

export interface ReceiptShown extends ReceiptFigures {
  day: string;
  planName: string;
  creditUsdMicros: bigint;
  feeUsdMicros: bigint;
  feeState: "paid" | "open" | "collected" | "lapsed";
  priceObservedAt: Date;
  /** Who was asked about the network; null: nobody on that day. */
  networkHost: string | null;
  postedAt: Date | null;
  reference: (NonNullable<ReceiptFigures["reference"]> & { observedAt: Date }) | null;
  evidence: EvidenceShown[];
  corrections: Array<
    ReceiptFigures["corrections"][number] & {
      payoutId: string;
      reason: string;
      startedAt: Date;
      evidence: EvidenceShown;
    }
  >;
}

/** What one contract earned and owed on a UTC day, with everything that it follows from. It names no person. */
export function ReceiptView({
  receipt,
  outages,
  recompute,
  children,
}: {
  receipt: ReceiptShown;
  /** What stood still on that day, as it was noted when the day was posted. */
  outages: readonly OutageThenShown[];
  recompute: ReactNode;
  /** Comes before the evidence. */
  children?: ReactNode;
}) {
  const { reference, corrections } = receipt;
  const corrected = creditByNow(receipt);
  const shownFee = receipt.feeState === "lapsed" ? 0n : receipt.feeSats;
  return (
    <div className={layout.stack}>
      <Panel title="The result">
        <Facts
          facts={[
            {
              label: "Credited",
              term: "credit",
              value: (
                <>
                  <Amount units={receipt.creditSats} asset="BTC" signed />{" "}
                  <Quiet>{formatUsdMicros(receipt.creditUsdMicros, 4)}</Quiet>
                </>
              ),
            },
            corrections.length > 0 && {
              label: "With corrections",
              value: <Amount units={corrected} asset="BTC" signed />,
            },
            {
              label: "Maintenance",
              term: "maintenance-fee",
              value: (
                <>
                  <Amount units={-receipt.feeSats} asset="BTC" />{" "}
                  <Quiet>
                    <UsdMicros micros={-receipt.feeUsdMicros} places={4} />,{" "}
                    {feeWords[receipt.feeState]}
                  </Quiet>
                </>
              ),
            },
            {
              label: "Net",
              value: <Amount units={corrected - shownFee} asset="BTC" signed />,
            },
            {
              label: "Reference",
              term: "reference",
              value: reference ? (
                <>
                  <Amount units={reference.sats} asset="BTC" />{" "}
                  <Quiet>{besideReference(corrected, reference.sats)}</Quiet>
                </>
              ) : (
                "We have no network figures for that day."
              ),
            },
          ]}
        />
      </Panel>
      <Panel title="Recompute">{recompute}</Panel>
      {children}
      <Panel title="Evidence">
        {receipt.evidence.length === 0 ? (
          <p className={styles.reason}>
            No pool paid for this day, so nothing was credited. We extend the contract by the day.
          </p>
        ) : null}
        {receipt.evidence.map((each) => (
          <EvidenceFacts key={each.payoutId} evidence={each} />
        ))}
      </Panel>
      {corrections.map((correction) => (
        <Panel key={correction.payoutId} title="Correction">
          <p className={styles.reason}>{correction.reason}</p>
          <Facts
            facts={[
              { label: "Started", value: <When at={correction.startedAt} /> },
              {
                label: "The pools had paid",
                value: <Amount units={correction.payoutSats} asset="BTC" />,
              },
              {
                label: "The day's credit is",
                value: <Amount units={correction.creditSats} asset="BTC" />,
              },
              {
                label: "Changed by",
                value: <Amount units={correction.changeSats} asset="BTC" signed />,
              },
            ]}
          />
          <EvidenceFacts evidence={correction.evidence} />
          <p className={styles.note}>
            We reverse an excess credit only as far as your balance goes. The rest is our loss.
          </p>
        </Panel>
      ))}
      <Panel title="How it was calculated">
        <Facts
          facts={[
            { label: "This contract", term: "hashrate", value: formatGhs(receipt.ghs) },
            { label: "All active contracts", value: formatGhs(receipt.activeGhs) },
            { label: "Hashrate the pools measured", value: formatGhs(receipt.deliveredGhs) },
            {
              label: "Share of the day delivered",
              term: "served",
              value: percentOf(receipt.servedPpm),
            },
            receipt.servedPpm < wholeDayPpm &&
              outages.length > 0 && {
                label: "What was down",
                value: <OutagesThen outages={outages} />,
              },
            {
              label: "Paid by the pools",
              term: "payout",
              value: <Amount units={receipt.payoutSats} asset="BTC" />,
            },
            {
              label: "Remainder of the day before",
              value: <Amount units={receipt.carriedSats} asset="BTC" />,
            },
            {
              label: "Maintenance fee per TH/s",
              value: formatUsdMicros(receipt.maintenanceUsdMicros, 4),
            },
            {
              label: "Bitcoin",
              value: (
                <>
                  {formatPrice(receipt.btcUsdE8)}, agreed <When at={receipt.priceObservedAt} />
                </>
              ),
            },
            reference !== null && {
              label: "Difficulty",
              term: "difficulty",
              value: reference.difficulty.toLocaleString("en-US"),
            },
            reference !== null && {
              label: "Paid per block",
              term: "block-reward",
              value: (
                <>
                  <Amount units={reference.subsidySats + reference.feesPerBlockSats} asset="BTC" />,
                  seen <When at={reference.observedAt} /> at {receipt.networkHost}
                </>
              ),
            },
            receipt.postedAt !== null && { label: "Posted", value: <When at={receipt.postedAt} /> },
          ]}
        />
        <p className={styles.formula}>
          credit = (paid + remainder) × this contract ÷ max(delivered, all contracts), rounded down
          <br />
          maintenance = this contract × fee ÷ price of bitcoin, rounded down
          {reference ? (
            <>
              <br />
              reference = hashes of a day ÷ (difficulty × 2³²) × what a block pays
            </>
          ) : null}
        </p>
      </Panel>
    </div>
  );
}

const feeWords: Record<ReceiptShown["feeState"], string> = {
  paid: "paid",
  open: "not paid yet: the balance did not cover it",
  collected: "paid later",
  lapsed: "waived when the contract was cancelled",
};

function EvidenceFacts({ evidence }: { evidence: EvidenceShown }) {
  return (
    <div className={styles.evidence}>
      <Facts
        facts={[
          { label: "Pool", value: evidence.pool },
          { label: "Paid", value: <Amount units={evidence.units} asset="BTC" /> },
          { label: "Hashrate it measured", value: formatGhs(evidence.deliveredGhs) },
          evidence.units > 0n && {
            label: "Seen on the chain",
            value: <Seen evidence={evidence} />,
          },
          evidence.txid !== null && {
            label: evidence.covered ? "Transaction, as entered" : "Transaction",
            value: <CopyField text={evidence.txid} label="transaction id" short />,
          },
          evidence.askedHost !== null && {
            label: "Read by our server at",
            value: evidence.askedHost,
          },
          evidence.statementSha256 !== null && {
            label: `SHA-256 of ${evidence.statementName ?? "the pool's statement"}`,
            value: (
              <CopyField text={evidence.statementSha256} label="hash of the statement" short />
            ),
          },
          { label: "Recorded", value: <When at={evidence.recordedAt} /> },
        ]}
      />
    </div>
  );
}

/** What our own node saw of a payout's coins. */
function Seen({
  evidence: { covered, coins, unseenReason, unseenBy },
}: {
  evidence: EvidenceShown;
}) {
  if (unseenReason !== null) {
    return (
      <>
        Not seen: {unseenReason} <Quiet>({unseenBy})</Quiet>
      </>
    );
  }
  if (!covered) return "Not looked for: the pool had no address in our wallet.";
  if (!coins) return "Not any more: coins of the pool are missing, or the payout was corrected.";
  return (
    <>
      {coins.map(({ txid, output, height, blockHash, units }) => (
        <div key={`${txid}:${output}`}>
          <CopyField text={`${txid}:${output}`} label="output" short />{" "}
          <Quiet>
            <Amount units={units} asset="BTC" /> in block {height.toLocaleString("en-US")},{" "}
            <CopyField text={blockHash} label="hash of the block" short />
          </Quiet>
        </div>
      ))}
    </>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return <span className={styles.quiet}>{children}</span>;
}

function besideReference(sats: bigint, reference: bigint): string {
  if (reference === 0n || sats === reference) return "the same";
  const off = sats < reference ? reference - sats : sats - reference;
  const size = (off * 2000n + reference) / (2n * reference);
  if (size === 0n) return "almost the same";
  return `credited ${size / 10n}.${size % 10n}% ${sats < reference ? "less" : "more"}`;
}
