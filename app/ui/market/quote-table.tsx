import layout from "#app/ui/page/layout.module.css";
import { TableFrame } from "#app/ui/tables/data-table.tsx";
import columns from "#app/ui/tables/phone-columns.module.css";
import { Table } from "#app/ui/tables/table.tsx";
import { assetNames, formatPrice, type PricedAsset } from "#core/price.ts";
import { changeWords } from "./price-words.ts";

export interface Quote {
  source: string;
  /** Who was asked. */
  host: string;
  /** In 10^-8 dollars. */
  usdE8: bigint;
  quotedAt: Date;
  verdict: "agreed" | "outlier" | "stale";
}

interface QuoteTableProps {
  /** The price that rests on these quotes, in 10^-8 dollars. */
  price: { asset: PricedAsset; usdE8: bigint; observedAt: Date };
  quotes: Quote[];
  /** No border: inside a Panel with `flush`. */
  bare?: boolean;
}

/** What a price rests on: who was asked, what each said and when, and whose word was left out. */
export function QuoteTable({ price, quotes, bare = false }: QuoteTableProps) {
  return (
    <TableFrame label={`What exchanges said of ${assetNames[price.asset]}`} bare={bare}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Exchange</Table.Th>
          <Table.Th ta="right">Price</Table.Th>
          <Table.Th ta="right" className={columns.wide}>
            Difference
          </Table.Th>
          <Table.Th className={columns.wide}>Time</Table.Th>
          <Table.Th className={columns.wide}>Used?</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {quotes.map((quote) => (
          <QuoteRow key={quote.source} quote={quote} price={price} />
        ))}
      </Table.Tbody>
    </TableFrame>
  );
}

/** On a phone the time and the verdict are under the exchange, the difference under its price. */
function QuoteRow({ quote, price }: { quote: Quote; price: QuoteTableProps["price"] }) {
  const { source, host, usdE8, quotedAt, verdict } = quote;
  const beside = (
    <data value={difference(usdE8, price.usdE8)}>{differenceWords(usdE8, price.usdE8)}</data>
  );
  const time = (
    <time dateTime={quotedAt.toISOString()} title={formatSecond(quotedAt)}>
      {formatBeside(quotedAt, price.observedAt)}
    </time>
  );
  return (
    <Table.Tr>
      <Table.Th scope="row">
        {sourceNames[source] ?? source}
        <div className={layout.quiet}>{host}</div>
        <div className={`${columns.narrow} ${layout.quiet}`}>
          {time}
          <br />
          {verdicts[verdict]}
        </div>
      </Table.Th>
      <Table.Td ta="right">
        <data value={usdE8.toString()}>{formatPrice(usdE8)}</data>
        <div className={`${columns.narrow} ${layout.quiet}`}>{beside}</div>
      </Table.Td>
      <Table.Td ta="right" className={columns.wide}>
        {beside}
      </Table.Td>
      <Table.Td className={columns.wide}>{time}</Table.Td>
      <Table.Td className={columns.wide}>{isUsed[verdict]}</Table.Td>
    </Table.Tr>
  );
}

/** How many exchanges a price is the median of. */
export function medianWords(sources: number): string {
  return sources === 1
    ? "one exchange had a fresh price"
    : `the median of ${sources} exchanges that agree`;
}

/** Day, hour, minute and second, UTC. */
export function formatSecond(at: Date): string {
  return `${second.format(at)} UTC`;
}

const second = new Intl.DateTimeFormat("en-GB", {
  timeZone: "UTC",
  day: "2-digit",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

const sourceNames: Record<string, string> = {
  kraken: "Kraken",
  coinbase: "Coinbase Exchange",
  bitstamp: "Bitstamp",
};

const verdicts: Record<Quote["verdict"], string> = {
  agreed: "In the median",
  outlier: "Left out: too far from the others",
  stale: "Left out: too old",
};

/** The same where the column asks. */
const isUsed: Record<Quote["verdict"], string> = {
  agreed: "Yes",
  outlier: "No: too far from the others",
  stale: "No: too old",
};

/** How far a quote lies from the price, in per cent to three decimals. */
function difference(usdE8: bigint, ours: bigint): number {
  return Number(((usdE8 - ours) * 100_000n) / ours) / 1000;
}

function differenceWords(usdE8: bigint, ours: bigint): string {
  const percent = difference(usdE8, ours);
  if (percent === 0) return "the same";
  const { tone } = changeWords(percent);
  return `${Math.abs(percent).toFixed(3)}% ${tone === "up" ? "above" : "below"}`;
}

/** The hour alone, where the day is the same. */
function formatBeside(at: Date, observedAt: Date): string {
  const full = formatSecond(at);
  return at.toISOString().slice(0, 10) === observedAt.toISOString().slice(0, 10)
    ? full.slice(full.indexOf(",") + 2)
    : full;
}
