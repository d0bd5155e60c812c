import type { Coin } from "#core/asset.ts";
import { formatUsd, formatUsdMicros, formatWhole, withMarksOf } from "#core/money.ts";
import styles from "./amount.module.css";
import { useLocalePreferences } from "./locale-preferences.ts";
import { splitAmount } from "./split-amount.ts";
import { withMinus } from "./with-minus.ts";

interface AmountProps {
  /** Smallest units: satoshi, wei, micro-USDT. */
  units: bigint | string;
  asset: Coin;
  /** Whether a plus sign is before what was gained. */
  signed?: boolean;
  /** No satoshi on hover: for amounts inside a link or a button. */
  plain?: boolean;
  /** No unit: for columns that name their coin. */
  bare?: boolean;
}

/** An amount of a coin: digits that say something in ink, trailing zeros muted, the unit small. */
export function Amount({ units, asset, signed = false, plain = false, bare = false }: AmountProps) {
  const { locale } = useLocalePreferences();
  const exact = BigInt(units);
  const { significant, zeros } = splitAmount(exact, asset);
  const satoshi = plain || asset !== "BTC" ? undefined : `${formatWhole(exact, locale)} satoshi`;
  return (
    <data
      className={styles.amount}
      value={exact.toString()}
      data-hint={satoshi}
      data-long={asset === "ETH" || undefined}
    >
      {signed && exact > 0n ? "+" : ""}
      <span suppressHydrationWarning>{withMinus(withMarksOf(locale, significant))}</span>
      <span className={styles.zeros} suppressHydrationWarning>
        {withMarksOf(locale, zeros)}
      </span>
      {bare ? null : <span className={styles.unit}>{asset}</span>}
    </data>
  );
}

/** US dollars with two decimals, from cents. */
export function Usd({ cents, signed = false }: { cents: bigint | string; signed?: boolean }) {
  const { locale } = useLocalePreferences();
  const exact = BigInt(cents);
  return (
    <data className={styles.amount} value={exact.toString()} suppressHydrationWarning>
      {(signed && exact > 0n ? "+" : "") + withMinus(formatUsd(exact, locale))}
    </data>
  );
}

interface UsdMicrosProps {
  /** Millionths of a dollar. */
  micros: bigint;
  places?: number;
  /** Whether a plus sign is before what was gained, once it is a cent. */
  signed?: boolean;
}

/** The same within a sentence: browsers would break a line between a minus and the dollar after it. */
export function UsdMicros({ micros, places, signed = false }: UsdMicrosProps) {
  return (
    <data className={styles.amount} value={micros.toString()}>
      {(signed && micros >= 5_000n ? "+" : "") + withMinus(formatUsdMicros(micros, places))}
    </data>
  );
}
