import { Link } from "react-router";
import { Amount, Usd } from "#app/ui/figures/amount.tsx";
import { formatUtc } from "#app/ui/figures/format-time.ts";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { TableFrame } from "#app/ui/tables/data-table.tsx";
import columns from "#app/ui/tables/phone-columns.module.css";
import { Table } from "#app/ui/tables/table.tsx";
import { formatPrice } from "#core/price.ts";
import { formatDay, utcDay } from "#core/utc-day.ts";
import type { EntryDocument, EntryValue, StatementEntry } from "#server/statements/entry.ts";
import { kindInWords } from "./ledger-words.ts";
import styles from "./transactions.module.css";

/** Entries of the ledger, day by day. On a phone the value and the balance are under the amount. */
export function Entries({ entries }: { entries: StatementEntry[] }) {
  return (
    <TableFrame label="Entries" bare>
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
      {byDay(entries).map(([day, ofDay]) => (
        <Table.Tbody key={day} className={styles.ofDay}>
          <Table.Tr>
            <Table.Th colSpan={4} scope="rowgroup" className={styles.day}>
              {formatDay(day)} <span className={styles.when}>UTC</span>
            </Table.Th>
          </Table.Tr>
          {ofDay.map((entry) => (
            <Entry key={entry.cursor} entry={entry} />
          ))}
        </Table.Tbody>
      ))}
    </TableFrame>
  );
}

/** Entries by the UTC day on which they happened, in the order in which they come. */
function byDay(entries: StatementEntry[]): Array<[string, StatementEntry[]]> {
  const days = new Map<string, StatementEntry[]>();
  for (const entry of entries) {
    const day = utcDay(entry.occurredAt);
    const ofDay = days.get(day);
    if (ofDay) ofDay.push(entry);
    else days.set(day, [entry]);
  }
  return [...days];
}

function Entry({ entry }: { entry: StatementEntry }) {
  const { kind, document, occurredAt, account, units, asset, value, transferId } = entry;
  return (
    <Table.Tr>
      <Table.Td>
        <div className={styles.kind}>{kindInWords[kind]}</div>
        {saysWhy(entry) ? <div className={styles.why}>{entry.memo}</div> : null}
        <div className={styles.when}>
          <When at={occurredAt} />
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
  deposit: "the price of the deposit",
  withdrawal: "the price of the request",
  moment: "the first price of its ten minutes, or of the ten before",
  close: "the close of the UTC day",
};

function Value({ value, asset }: { value: StatementEntry["value"]; asset: string }) {
  if (!value) return <span className={styles.when}>no price</span>;
  const { usdE8, observedAt, basis, sources, simulated } = value;
  const at = formatUtc(observedAt);
  const by = `${sources.join(", ")}${simulated ? " (simulated)" : ""}`;
  return (
    <span data-hint={`${formatPrice(usdE8)} for one ${asset}: ${basisWords[basis]}, ${at}, ${by}`}>
      <Usd cents={value.usdCents} signed />
    </span>
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
      return { to: `/account/mining/${contractId}/${day}`, words: `Receipt of ${formatDay(day)}` };
    }
    const what = kind === "inactivity-fee" ? "No contract" : "Contracts";
    return { to: "/account/mining", words: `${what} on ${formatDay(day)}` };
  }
  const { of, id } = document;
  if (of === "deposit") return { to: `/account/deposit/${id}`, words: "Deposit" };
  if (of === "contract") return { to: `/account/mining/${id}`, words: "Contract" };
  if (of === "withdrawal") return { to: `/account/withdraw/${id}`, words: "Withdrawal" };
  return { to: `/account/evidence/${transferId}`, words: "Adjustment" };
}

/** What staff gave or took back by hand has a reason, which is next to it. */
function saysWhy({ memo, document }: StatementEntry): boolean {
  return memo !== "" && document?.of === "adjustment";
}
