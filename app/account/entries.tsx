import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/amount.tsx";
import { DataTable } from "#app/ui/data-table.tsx";
import { Hallmark } from "#app/ui/hallmark.tsx";
import { Hint } from "#app/ui/hint.tsx";
import columns from "#app/ui/phone-columns.module.css";
import { Table } from "#app/ui/table.tsx";
import { When } from "#app/ui/when.tsx";
import { formatPrice } from "#core/price.ts";
import type { EntryDocument, EntryValue, StatementEntry } from "#server/statements/entry.ts";
import { kindInWords } from "./journal-words.ts";
import styles from "./transactions.module.css";

/** Entries of the journal. On a phone the value and the balance stand under the amount. */
export function Entries({ entries }: { entries: StatementEntry[] }) {
  return (
    <DataTable label="Entries" bare>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>What</Table.Th>
          <Table.Th ta="right">Amount</Table.Th>
          <Table.Th ta="right" className={columns.wide}>
            Value then
          </Table.Th>
          <Table.Th ta="right" className={columns.wide}>
            Balance after
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Entry key={entry.cursor} entry={entry} />
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Entry({ entry }: { entry: StatementEntry }) {
  const { kind, document, occurredAt, account, units, asset, value, transferId } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <div className={styles.kind}>{kindInWords[kind]}</div>
        {saysWhy(entry) ? <div className={styles.why}>{entry.memo}</div> : null}
        <div className={styles.when}>
          <When at={occurredAt} beside />
          <div>
            {account === "held" ? "Held" : "Available"}
            {document ? (
              <>
                {" · "}
                <DocumentLink document={document} entry={entry} />
              </>
            ) : null}
          </div>
        </div>
      </Table.Td>
      <Table.Td ta="right" className={styles.figures}>
        <Amount units={units} asset={asset} signed />
        <Hallmark to={`/account/evidence/${transferId}`} label="The transfer behind this entry" />
        <div className={`${columns.narrow} ${styles.when}`}>
          <Value value={value} asset={asset} />
          <div>Balance after</div>
          <Balance entry={entry} />
        </div>
      </Table.Td>
      <Table.Td ta="right" className={columns.wide}>
        <Value value={value} asset={asset} />
      </Table.Td>
      <Table.Td ta="right" className={columns.wide}>
        <Balance entry={entry} />
      </Table.Td>
    </Table.Tr>
  );
}

/** What was owned of the coin; where a part is held, what of it could be used. */
function Balance({ entry }: { entry: StatementEntry }) {
  const { coinBalanceAfter, balanceAfter, account, asset } = entry;
  const available = account === "available" ? balanceAfter : coinBalanceAfter - balanceAfter;
  return (
    <>
      <Amount units={coinBalanceAfter} asset={asset} />
      {available === coinBalanceAfter ? null : (
        <div className={styles.when}>
          available <Amount units={available} asset={asset} plain />
        </div>
      )}
    </>
  );
}

const basisWords: Record<EntryValue["basis"], string> = {
  "mining-day": "the price of the mining day",
  quote: "the price of the quote",
  moment: "the last price known then",
  close: "the close of the UTC day",
};

function Value({ value, asset }: { value: StatementEntry["value"]; asset: string }) {
  if (!value) return <span className={styles.when}>no price</span>;
  const { usdE8, observedAt, basis, sources, simulated } = value;
  const at = `${new Date(observedAt).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const by = `${sources.join(", ")}${simulated ? " (simulated)" : ""}`;
  return (
    <Hint label={`${formatPrice(usdE8)} for one ${asset}: ${basisWords[basis]}, ${at}, ${by}`} long>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: where the price comes from must be reachable by keyboard */}
      <span tabIndex={0}>
        <Usd cents={value.usdCents} signed />
      </span>
    </Hint>
  );
}

interface DocumentLinkProps {
  document: EntryDocument;
  entry: StatementEntry;
}

function DocumentLink({ document, entry }: DocumentLinkProps) {
  const { to, words } = placeOf(document, entry);
  return <Link to={to}>{words}</Link>;
}

function placeOf(
  document: EntryDocument,
  { kind, transferId }: StatementEntry,
): { to: string; words: string } {
  if (document.of === "receipt") {
    const { contractId, day } = document;
    if (contractId) {
      return { to: `/account/mining/${contractId}/${day}`, words: `Receipt of ${day}` };
    }
    const what = kind === "inactivity-fee" ? "No contract" : "Contracts";
    return { to: "/account/mining", words: `${what} on ${day}` };
  }
  const { of, id } = document;
  if (of === "deposit") return { to: `/account/deposit/${id}`, words: "Deposit" };
  if (of === "contract") return { to: `/account/mining/${id}`, words: "Contract" };
  if (of === "withdrawal") return { to: `/account/withdraw/${id}`, words: "Withdrawal" };
  return { to: `/account/evidence/${transferId}`, words: "Adjustment" };
}

/** What staff gave or took back by hand has a reason, which stands beside it. */
function saysWhy({ memo, document }: StatementEntry): boolean {
  return memo !== "" && document?.of === "adjustment";
}
