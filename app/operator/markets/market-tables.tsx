import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { Age, When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { isSilent } from "#core/payments/silence.ts";
import { assetNames, formatPrice, pricedAssets } from "#core/price.ts";
import { terms } from "#core/terms.ts";
import type { AskedAsset, ListedDrop, ListedSource } from "#server/markets/list-sources.ts";
import type { Price } from "#server/markets/price.ts";
import styles from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";

interface PriceTableProps {
  prices: Price[];
  asked: AskedAsset[];
  now: Date;
}

/** The last known price of every asset, whether it may value money, and how the last questions went. */
export function PriceTable({ prices, asked, now }: PriceTableProps) {
  const rows = pricedAssets.map((asset) => ({
    asset,
    price: prices.find((one) => one.asset === asset),
    round: asked.find((one) => one.asset === asset),
  }));
  return (
    <ConsoleTable
      label="Prices"
      bare
      rows={rows}
      rowKey={({ asset }) => asset}
      columns={[
        {
          head: "Asset",
          cell: ({ asset }) => (
            <>
              {asset}{" "}
              {assetNames[asset] === asset ? null : (
                <span className={styles.second}>{assetNames[asset]}</span>
              )}
            </>
          ),
        },
        {
          head: "Price in USD",
          kind: "number",
          cell: ({ asset, price }) => (
            <>
              {price ? formatPrice(price.usdE8) : "–"}{" "}
              {price?.fresh ? (
                <Hallmark to={`/prices#${asset}`} label="Evidence of this price" />
              ) : null}
              {price && !price.fresh ? <Hallmark reason={tooOld} /> : null}
            </>
          ),
        },
        {
          head: "Age",
          cell: ({ price }) => (price ? <Age at={price.observedAt} now={now} /> : "never"),
        },
        { head: "Values money", cell: ({ price }) => (price?.fresh ? "yes" : "no") },
        { head: "Agreed", cell: ({ price }) => (price ? price.agreed.join(", ") : "–") },
        { head: "Last round", cell: ({ round }) => <LastRound round={round} /> },
      ]}
    />
  );
}

const tooOld = `Older than ${terms.priceMaxAgeMinutes} minutes: nothing is valued or converted with it.`;

const troubles = {
  "too-few-sources": "Too few sources answer",
  "sources-disagree": "The sources disagree",
  "not-asked": "Not asked any more",
};

function LastRound({ round }: { round: AskedAsset | undefined }) {
  if (!round) return "not asked yet";
  return (
    <>
      {round.agreed} of {round.answered} agreed
      {round.trouble ? (
        <div className={styles.error}>
          {troubles[round.trouble]}, since{" "}
          <When at={round.trouble === "not-asked" ? round.askedAt : round.since} />
        </div>
      ) : null}
    </>
  );
}

/** Whether each source answers, since when, and what it said last when it did not. */
export function SourceTable({ sources, now }: { sources: ListedSource[]; now: Date }) {
  if (sources.length === 0)
    return <EmptyState drawing="touchstone">No source is configured.</EmptyState>;
  return (
    <ConsoleTable
      label="Sources"
      bare
      rows={sources}
      rowKey={({ source }) => source}
      columns={[
        { head: "Source", value: "source", second: ({ gives, host }) => `${gives} from ${host}` },
        {
          head: "State",
          cell: ({ record, gives }) => <SourceState record={record} gives={gives} now={now} />,
        },
        { head: "Since", cell: ({ record }) => (record ? <When at={record.since} /> : "–") },
        {
          head: "Last answer",
          cell: ({ record }) =>
            record?.lastAnswerAt ? <Age at={record.lastAnswerAt} now={now} /> : "never",
        },
        { head: "Last error", cell: ({ record }) => <LastError record={record} /> },
        {
          head: "Asked again",
          cell: ({ record }) =>
            record?.askAgainAt ? <When at={record.askAgainAt} /> : "next round",
        },
      ]}
    />
  );
}

const tones = { answering: "good", failing: "bad", limiting: "waiting" } as const;

/** How often a source is asked, in seconds; days that are over are asked for when they are. */
const periods: Record<ListedSource["gives"], number> = {
  prices: 60,
  "network figures": 600,
  "daily candles": 86_400,
};

/** A source that is left in peace until a moment is late only after that. */
function SourceState({
  record,
  gives,
  now,
}: Pick<ListedSource, "record" | "gives"> & { now: Date }) {
  if (!record) return "not asked yet";
  const { state, lastAskedAt, askAgainAt } = record;
  const due = askAgainAt && askAgainAt > lastAskedAt ? askAgainAt : lastAskedAt;
  if (!isSilent(due, periods[gives], now))
    return <StatusBadge status={state} tone={tones[state]} />;
  return (
    <>
      <StatusBadge status="not asked any more" tone="bad" />
      <div>
        since <When at={lastAskedAt} />
      </div>
    </>
  );
}

function LastError({ record }: Pick<ListedSource, "record">) {
  if (!record?.lastError || !record.lastErrorAt) return "none";
  return (
    <>
      <span className={styles.error}>{record.lastError}</span>
      <div className={styles.second}>
        <When at={record.lastErrorAt} />
      </div>
    </>
  );
}

const reasons = {
  outlier: "More than 1 % from the median",
  stale: "Its time is too old, or in the future",
  unreadable: "No figure that can be read",
};

/** Quotes that are left out, and were in the last week: one row from the first to the last, not one per question. */
export function DropTable({ drops }: { drops: ListedDrop[] }) {
  if (drops.length === 0) {
    return <EmptyState drawing="touchstone">No quote was left out in the last week.</EmptyState>;
  }
  return (
    <ConsoleTable
      label="Quotes left out"
      bare
      rows={drops}
      columns={[
        {
          head: "Source",
          cell: (drop) => (
            <>
              {drop.source} <span className={styles.second}>{drop.asset}</span>
            </>
          ),
        },
        { head: "Why", cell: (drop) => reasons[drop.reason] },
        {
          head: "It said",
          kind: "number",
          cell: (drop) => (drop.usdE8 ? formatPrice(drop.usdE8) : "–"),
        },
        {
          head: "The median was",
          kind: "number",
          cell: (drop) => (drop.medianUsdE8 ? formatPrice(drop.medianUsdE8) : "–"),
        },
        { head: "From", value: "startedAt" },
        {
          head: "To",
          cell: (drop) => (drop.endedAt ? <When at={drop.endedAt} /> : "still left out"),
        },
      ]}
    />
  );
}
