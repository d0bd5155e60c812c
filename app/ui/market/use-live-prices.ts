import { useEffect, useState } from "react";
import type { PriceMessage } from "#core/price.ts";
import { terms } from "#core/terms.ts";
import { followPrices } from "./follow-prices.ts";

const tickMs = 1_000;
const maxAgeMs = terms.priceMaxAgeMinutes * 60_000;

/**
 * The prices that came with the page, then as the server tells them, with their ages as of now: one that grows
 * too old while the page stands open stops counting as fresh.
 */
export function useLivePrices(sent: PriceMessage[]): PriceMessage[] {
  const [known, setKnown] = useState({ prices: sent, atMs: 0 });
  const [elapsedMs, setElapsedMs] = useState(0);
  useEffect(() => {
    setKnown({ prices: sent.map(asOldAsKnown), atMs: performance.now() });
    setElapsedMs(0);
  }, [sent]);
  useEffect(() => {
    const tick = () => setElapsedMs(Math.max(0, performance.now() - known.atMs));
    const timer = known.atMs === 0 ? undefined : setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [known]);
  useEffect(
    () =>
      followPrices(({ prices, receivedAtMs }) => {
        setKnown({ prices, atMs: receivedAtMs });
        setElapsedMs(0);
      }),
    [],
  );
  return known.prices.map((price) => {
    const ageMs = price.ageMs + elapsedMs;
    return { ...price, ageMs, fresh: price.fresh && ageMs <= maxAgeMs };
  });
}

/** Between the answer and this moment time went by, of which only the reader's own clock knows. */
function asOldAsKnown(price: PriceMessage): PriceMessage {
  return { ...price, ageMs: Math.max(price.ageMs, Date.now() - Date.parse(price.observedAt)) };
}
