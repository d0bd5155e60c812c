import { useEffect, useRef } from "react";
import { Form, useLocation } from "react-router";
import { Button } from "#app/ui/controls/button.tsx";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import type { PriceMessage } from "#core/price.ts";
import type { TransferPreview } from "#server/console/deposits/preview-approval.ts";
import { ConsoleTable } from "../parts/console-table.tsx";
import styles from "./deposit.module.css";

export interface ApprovalSummary {
  transfer: TransferPreview;
  txid: string;
  outputIndex: number | null;
  usdCents: bigint;
  /** What arrived at the stored price; null: that is too old, or there is none. */
  worth: { usdCents: bigint; price: PriceMessage; now: Date } | null;
  /** The fields as they were typed, to be sent again. */
  typed: Record<string, string>;
}

interface ApproveSummaryProps {
  summary: ApprovalSummary;
  customerName: string;
  claimedUsdCents: bigint;
}

/** The second step of an approval: exactly what will be posted, and nothing else happens until it is confirmed. */
export function ApproveSummary({ summary, customerName, claimedUsdCents }: ApproveSummaryProps) {
  const { transfer, txid, outputIndex, usdCents, worth, typed } = summary;
  const { pathname } = useLocation();
  const place = useRef<HTMLDivElement>(null);
  // The summary takes the form's place: without this the keyboard would stand nowhere.
  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  return (
    <Panel title="What will be posted">
      <div className={styles.form} ref={place} tabIndex={-1}>
        <EntryTable entries={transfer.entries} customerName={customerName} />
        <Facts
          facts={[
            { label: "Transaction", code: txid },
            { label: "Output", value: outputIndex },
            {
              label: "USD amount",
              value: (
                <>
                  <Usd cents={usdCents} />
                  {usdCents === claimedUsdCents ? (
                    " as claimed"
                  ) : (
                    <>
                      , corrected from <Usd cents={claimedUsdCents} />
                    </>
                  )}
                </>
              ),
            },
            worth && { label: "At the stored price", value: <Worth {...worth} /> },
            { label: "UTC day", value: transfer.day },
          ]}
        />
        {transfer.second === "missing" ? (
          <Notice title="You approve this alone">
            No other approver or owner has set a password yet. The audit log says so.
          </Notice>
        ) : null}
        {transfer.second === "needed" ? (
          <Notice title="A colleague confirms this one">
            The chain shows no such payment at {customerName}'s own address, and it is more than one
            person approves alone within 24 hours. Nothing is posted before a colleague confirms it.
          </Notice>
        ) : (
          <p className={layout.note}>
            {customerName} sees the deposit as approved at once and is told by mail. This cannot be
            edited afterwards.
          </p>
        )}
        <Form
          method="post"
          action={pathname}
          preventScrollReset
          className={layout.row}
          data-key="a"
        >
          {Object.entries(typed).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <SubmitButton
            name="intent"
            value="approve"
            pendingText={transfer.second === "needed" ? "Proposing…" : "Posting…"}
          >
            {transfer.second === "needed" ? "Propose it" : "Confirm and post"}
          </SubmitButton>
          <Button type="submit" name="intent" value="change" look="quiet">
            Change
          </Button>
        </Form>
      </div>
    </Panel>
  );
}

/** Beside the amount that is recorded, so that a slip of the pen is seen before it is posted. */
function Worth({ usdCents, price, now }: NonNullable<ApprovalSummary["worth"]>) {
  return (
    <>
      <Usd cents={usdCents} /> at {price.shown}
      {price.simulated ? " (simulated)" : ""}, <Age at={price.observedAt} now={now} />{" "}
      <Hallmark to={`/prices#${price.asset}`} label="Evidence of this price" />
    </>
  );
}

function EntryTable({
  entries,
  customerName,
}: {
  entries: TransferPreview["entries"];
  customerName: string;
}) {
  return (
    <ConsoleTable
      label="Entries that will be posted"
      rows={entries}
      rowKey={({ account }) => account}
      columns={[
        {
          head: "Account",
          cell: ({ account, balanceAfter }) => (
            <>
              <span className={styles.account}>{account.replaceAll("_", " ")}</span>
              <div className={layout.quiet}>
                {balanceAfter === null ? "the house" : customerName}
              </div>
            </>
          ),
        },
        {
          head: "Debit",
          align: "right",
          cell: ({ asset, units }) =>
            units < 0n ? <Amount units={-units} asset={asset} plain /> : null,
        },
        {
          head: "Credit",
          align: "right",
          cell: ({ asset, units }) =>
            units > 0n ? <Amount units={units} asset={asset} plain /> : null,
        },
        {
          head: "Balance after",
          align: "right",
          cell: ({ asset, balanceAfter }) =>
            balanceAfter === null ? null : <Amount units={balanceAfter} asset={asset} plain />,
        },
      ]}
    />
  );
}
