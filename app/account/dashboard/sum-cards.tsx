import type { ReactNode } from "react";
import { Usd } from "#app/ui/figures/amount.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { InCurrency } from "#app/ui/market/in-currency.tsx";
import { formatUsd } from "#core/money.ts";
import type { PriceMessage } from "#core/price.ts";
import styles from "./sum-cards.module.css";

interface SumCardsProps {
  depositCents: bigint;
  pendingCents: bigint;
  profitCents: bigint;
  /** Paid for contracts, less what was paid back. */
  paidCents: bigint;
  prices: PriceMessage[];
}

/** Deposit + Account Profit = Total Sum, in dollars, each with what it does not say. */
export function SumCards(props: SumCardsProps) {
  const { depositCents, pendingCents, profitCents, paidCents, prices } = props;
  const inCurrency = (cents: bigint) => <InCurrency cents={cents} prices={prices} />;
  const entries = <Hallmark to="/account/transactions" label="The entries behind Account Profit" />;
  return (
    <dl className={styles.cards}>
      <Card
        label="Deposit"
        figure={<Usd cents={depositCents} />}
        mark={<Hallmark to="/account/deposit" label="The deposits behind this sum" />}
        converted={inCurrency(depositCents)}
        note={
          pendingCents > 0n ? (
            <>
              of which <Usd cents={pendingCents} /> pending review
            </>
          ) : null
        }
      />
      <Card
        sign="+"
        label="Account Profit"
        figure={<Usd cents={profitCents} />}
        mark={entries}
        converted={inCurrency(profitCents)}
        note={profitNote(profitCents, paidCents)}
      />
      <Card
        sign="="
        label="Total Sum"
        figure={<Usd cents={depositCents + profitCents} />}
        mark={<Hallmark to="/account/transactions" label="The entries behind Total Sum" />}
        converted={inCurrency(depositCents + profitCents)}
        note={sumNote(props)}
      />
    </dl>
  );
}

function profitNote(cents: bigint, paidCents: bigint): ReactNode {
  if (paidCents > 0n) {
    const word = cents < 0n ? "A loss, before" : cents > 0n ? "A gain, before" : "Before";
    return (
      <>
        {word} contract prices; <Usd cents={cents - paidCents} /> after
      </>
    );
  }
  if (cents === 0n) return "Mined, minus fees";
  return cents < 0n
    ? "A loss: fees were more than was mined"
    : "A gain: more was mined than fees took";
}

function sumNote({ depositCents, pendingCents, paidCents }: SumCardsProps): string {
  if (depositCents === 0n) return "Deposit + Account Profit";
  const includes = [
    ...(pendingCents > 0n ? [`${formatUsd(pendingCents)} pending`] : []),
    ...(paidCents > 0n ? [`${formatUsd(paidCents)} paid for contracts`] : []),
  ];
  const said =
    includes.length === 0 ? "" : `Not your balance: includes ${includes.join(" and ")}. `;
  return `${said}Withdrawals are not subtracted`;
}

interface CardProps {
  label: string;
  figure: ReactNode;
  mark: ReactNode;
  note: ReactNode;
  /** The figure in the coin that the customer chose, if any. */
  converted: ReactNode;
  sign?: string;
}

function Card({ label, figure, mark, note, sign, converted }: CardProps) {
  return (
    <div className={styles.card}>
      <dt className={styles.label}>
        {sign ? (
          <span className={styles.sign} aria-hidden="true">
            {sign}
          </span>
        ) : null}
        {label}
      </dt>
      <dd className={styles.figure}>
        {figure}
        {mark}
      </dd>
      <dd className={styles.converted}>{converted}</dd>
      <dd className={styles.note}>{note}</dd>
    </div>
  );
}
