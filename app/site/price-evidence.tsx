import { DataTable } from "#app/ui/data-table.tsx";
import { PriceFigure } from "#app/ui/market/price-figure.tsx";
import { changeWords } from "#app/ui/market/price-words.ts";
import { Table } from "#app/ui/table.tsx";
import {
  assetNames,
  formatPrice,
  type PricedAsset,
  type PriceMessage,
  type PriceTrouble,
  parseUsd,
} from "#core/price.ts";
import styles from "./prices.module.css";

interface Quote {
  source: string;
  usdE8: bigint;
  quotedAt: Date;
  verdict: "agreed" | "outlier" | "stale";
}

interface PriceEvidenceProps {
  asset: PricedAsset;
  /** Undefined: there was never a price. */
  evidence: { price: PriceMessage; quotes: Quote[] } | undefined;
}

/** One price with all that it rests on: who was asked, what each said and when, and whose word was left out. */
export function PriceEvidence({ asset, evidence }: PriceEvidenceProps) {
  return (
    <section id={asset} className={styles.evidence} aria-labelledby={`${asset}-name`}>
      <div className={styles.head}>
        <h2 id={`${asset}-name`}>{assetNames[asset]}</h2>
        <PriceFigure asset={asset} price={evidence?.price} still />
      </div>
      {evidence ? (
        <Found {...evidence} />
      ) : (
        <p>No exchange could be asked yet, so there is no price.</p>
      )}
    </section>
  );
}

function Found({ price, quotes }: { price: PriceMessage; quotes: Quote[] }) {
  return (
    <>
      <p>
        Observed on{" "}
        <time dateTime={price.observedAt}>{formatSecond(new Date(price.observedAt))}</time>:{" "}
        {price.sources === 1
          ? "one exchange had a fresh price."
          : `the median of ${price.sources} exchanges that agree.`}{" "}
        {price.trouble ? troubles[price.trouble] : null}
      </p>
      <DataTable label={`What exchanges said of ${assetNames[price.asset]}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Exchange</Table.Th>
            <Table.Th ta="right">Its price</Table.Th>
            <Table.Th ta="right">Beside ours</Table.Th>
            <Table.Th>Its time</Table.Th>
            <Table.Th>What came of it</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {quotes.map(({ source, usdE8, quotedAt, verdict }) => (
            <Table.Tr key={source}>
              <Table.Th scope="row">{sourceNames[source] ?? source}</Table.Th>
              <Table.Td ta="right">
                <data value={usdE8.toString()}>{formatPrice(usdE8)}</data>
              </Table.Td>
              <Table.Td ta="right">
                <data value={difference(usdE8, price.usd)}>
                  {differenceWords(usdE8, price.usd)}
                </data>
              </Table.Td>
              <Table.Td>
                <time dateTime={quotedAt.toISOString()} title={formatSecond(quotedAt)}>
                  {formatBeside(quotedAt, price.observedAt)}
                </time>
              </Table.Td>
              <Table.Td>{verdicts[verdict]}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
    </>
  );
}

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

const troubles: Record<PriceTrouble, string> = {
  "too-few-sources": "Since then too few exchanges answered for a newer one.",
  "sources-disagree": "Since then the exchanges disagree too much for a newer one.",
};

/** How far a quote lies from the price, in per cent to three decimals. */
function difference(usdE8: bigint, usd: string): number {
  const ours = parseUsd(usd);
  return ours ? Number(((usdE8 - ours) * 100_000n) / ours) / 1000 : 0;
}

function differenceWords(usdE8: bigint, usd: string): string {
  const percent = difference(usdE8, usd);
  if (percent === 0) return "the same";
  const { tone } = changeWords(percent);
  return `${Math.abs(percent).toFixed(3)}% ${tone === "up" ? "above" : "below"}`;
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

/** The hour alone, where the day is the same. */
function formatBeside(at: Date, observedAt: string): string {
  const full = formatSecond(at);
  return at.toISOString().slice(0, 10) === observedAt.slice(0, 10)
    ? full.slice(full.indexOf(",") + 2)
    : full;
}

function formatSecond(at: Date): string {
  return `${second.format(at)} UTC`;
}
