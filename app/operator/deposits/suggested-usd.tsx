import { useEffect, useState } from "react";
import { Button } from "#app/ui/controls/button.tsx";
import { Hallmark } from "#app/ui/figures/hallmark.tsx";
import { Age } from "#app/ui/figures/when.tsx";
import layout from "#app/ui/page/layout.module.css";
import type { Coin } from "#core/asset.ts";
import { formatUsd, parseAmount, toDecimal } from "#core/money.ts";
import { type PriceMessage, parseUsd, valueInUsdCents } from "#core/price.ts";
import { terms } from "#core/terms.ts";

interface SuggestedUsdProps {
  coin: Coin;
  /** The last stored price; null: there was never one. */
  price: PriceMessage | null;
  /** The server's clock when it answered. */
  now: Date;
  /** The quantity as it is typed at this moment. */
  quantity: string;
  /** Puts an amount into the form. */
  onUse: (usd: string) => void;
}

/** What the quantity received is worth at the stored price, to be taken or not; nothing where that is too old. */
export function SuggestedUsd({ coin, price, now, quantity, onUse }: SuggestedUsdProps) {
  const isFresh = useFreshness(price);
  if (!price)
    return <p className={layout.note}>No price of {coin} is known to suggest an amount with.</p>;
  if (!isFresh) {
    const reason = `The last price of ${coin} is older than ${terms.priceMaxAgeMinutes} minutes: it values nothing.`;
    return (
      <p className={layout.note}>
        {reason} <Hallmark reason={reason} />
      </p>
    );
  }
  const units = parseAmount(quantity, coin);
  const usdE8 = parseUsd(price.usd);
  const cents = units && usdE8 ? valueInUsdCents(units, coin, usdE8) : 0n;
  return (
    <p className={layout.note}>
      1 {coin} is {price.shown}
      {price.simulated ? " (simulated)" : ""} by {price.agreed.join(", ")}{" "}
      <Hallmark to={`/prices#${coin}`} label="Evidence of this price" />{" "}
      <Age at={price.observedAt} now={now} />
      {cents > 0n ? (
        <>
          <br />
          <span className={layout.inline}>
            What arrived is worth {formatUsd(cents)}
            <Button
              type="button"
              size="small"
              look="quiet"
              onClick={() => onUse(toDecimal(cents, "USD"))}
            >
              Take {formatUsd(cents)}
            </Button>
          </span>
        </>
      ) : null}
    </p>
  );
}

/** A page may stand open for longer than its price is good for. */
function useFreshness(price: PriceMessage | null): boolean {
  const [tooOld, setTooOld] = useState<string | null>(null);
  useEffect(() => {
    if (!price?.fresh) return;
    const leftMs = terms.priceMaxAgeMinutes * 60_000 - price.ageMs;
    const timer = setTimeout(() => setTooOld(price.observedAt), leftMs);
    return () => clearTimeout(timer);
  }, [price]);
  return price?.fresh === true && tooOld !== price.observedAt;
}
