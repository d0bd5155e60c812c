import { Form, Link } from "react-router";
import { TextArea } from "#app/ui/controls/text-area.tsx";
import { Amount } from "#app/ui/figures/amount.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { FormAlert } from "#app/ui/forms/form-alert.tsx";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import layout from "#app/ui/page/layout.module.css";
import { explanationMax } from "#core/payments/custody-count.ts";
import type { RecordedHolding } from "#server/reconciliation/list-holdings.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import own from "./reconciliation.module.css";

/** What the page says after an explanation was refused. */
export interface ExplainFault {
  holdingId: string;
  words: string;
  fault: string;
}

interface OpenDifferencesProps {
  differences: RecordedHolding[];
  mayExplain: boolean;
  fault: ExplainFault | undefined;
}

/** The queue: whatever differs waits here until somebody says why. */
export function OpenDifferences({ differences, mayExplain, fault }: OpenDifferencesProps) {
  if (differences.length === 0) {
    return <p className={styles.empty}>Every difference is explained.</p>;
  }
  return (
    <ul className={layout.plain}>
      {differences.map((holding) => {
        const isRefused = fault?.holdingId === holding.id;
        return (
          <li key={holding.id} className={own.case}>
            <Difference holding={holding} />
            {mayExplain ? (
              <Form method="post" preventScrollReset className={own.form}>
                <FormAlert errors={isRefused ? [fault.fault] : null} />
                <input type="hidden" name="holdingId" value={holding.id} />
                <TextArea
                  name="words"
                  label="Why they differ"
                  description="Stays for good. It lifts nothing: only a later count that covers everything does"
                  rows={2}
                  required
                  maxLength={explanationMax}
                  defaultValue={isRefused ? fault.words : ""}
                />
                <div>
                  <SubmitButton name="intent" value="explain" pendingText="Writing…">
                    Explain the difference
                  </SubmitButton>
                </div>
              </Form>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function Difference({ holding }: { holding: RecordedHolding }) {
  const { asset, units, custodyUnits, asOf } = holding;
  return (
    <div>
      <div className={units < custodyUnits ? own.short : own.more}>
        <Amount units={units - custodyUnits} asset={asset} signed />
      </div>
      <div className={styles.second}>
        <Amount units={units} asset={asset} /> on chain,{" "}
        <Amount units={custodyUnits} asset={asset} /> in the ledger, <When at={asOf} />
      </div>
    </div>
  );
}

/** Every figure that was found on chain, newest first, with what was said of its difference. */
export function RecordedHoldings({ holdings }: { holdings: RecordedHolding[] }) {
  if (holdings.length === 0) return <p className={styles.empty}>Nothing was counted yet.</p>;
  return (
    <ConsoleTable
      label="Figures on chain, newest first"
      bare
      rows={holdings}
      columns={[
        {
          head: "As of",
          value: "asOf",
          second: (holding) =>
            holding.countId ? (
              <Link to={`/operator/reconciliation/${holding.countId}`}>the count</Link>
            ) : (
              "the chain's watcher"
            ),
        },
        {
          head: "On chain",
          kind: "number",
          cell: (holding) => <Amount units={holding.units} asset={holding.asset} />,
        },
        {
          head: "Difference",
          kind: "number",
          cell: (holding) => (
            <Amount units={holding.units - holding.custodyUnits} asset={holding.asset} signed />
          ),
        },
        { head: "Explained", cell: (holding) => <Explained holding={holding} /> },
      ]}
    />
  );
}

function Explained({ holding }: { holding: RecordedHolding }) {
  const { explanation, explainerName, explainedAt, units, custodyUnits } = holding;
  if (units === custodyUnits) return <span className={styles.second}>nothing differs</span>;
  if (explanation === null || explainedAt === null) {
    return <span className={styles.second}>not yet</span>;
  }
  return (
    <>
      <div className={own.words}>{explanation}</div>
      <div className={styles.second}>
        {explainerName}, <When at={explainedAt} />
      </div>
    </>
  );
}
