import { writeHundredths } from "#core/decimal.ts";
import { toDecimal } from "#core/money.ts";
import type { Observed } from "./load-assumptions.ts";

/** The fields that begin with what was observed. */
export type Prefilled = Record<"price" | "difficulty" | "fees", string>;

/** What was observed, as the form's fields hold it; empty where there is nothing fresh. */
export function prefillOf({ price, network, networkFresh }: Observed): Prefilled {
  const known = network && networkFresh ? network : null;
  return {
    price: price?.fresh ? writeHundredths(price.usdE8 / 1_000_000n) : "",
    difficulty: known ? writeHundredths(known.difficulty / 10_000_000_000n) : "",
    fees: known ? toDecimal(known.feesPerBlockSats, "BTC") : "",
  };
}

/** An address without what was merely left as it was: such a figure is the observed one, with its source and age. */
export function withoutPrefilled(params: URLSearchParams, prefilled: Prefilled): URLSearchParams {
  const own = new URLSearchParams(params);
  for (const [name, value] of Object.entries(prefilled)) {
    if (own.get(name)?.trim() === value) own.delete(name);
  }
  return own;
}
