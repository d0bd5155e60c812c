import { type Coin, decimals } from "#core/asset.ts";
import { formatAmount } from "#core/money.ts";

/** Places shown at least; wei beyond the eighth place are shown only where they are not zero. */
const shownPlaces: Record<Coin, number> = { BTC: 8, ETH: 8, USDT: 6 };

/** An amount's digits: those that say something, and the zeros that only keep the places. */
export function splitAmount(units: bigint, asset: Coin): { significant: string; zeros: string } {
  const whole = formatAmount(units, asset);
  const bare = whole.slice(0, endOfSignificant(whole));
  const shown = whole.length - (decimals[asset] - shownPlaces[asset]);
  return { significant: bare, zeros: whole.slice(bare.length, Math.max(shown, bare.length)) };
}

/** Digit by digit: an expression for the zeros at the end would begin anew at each of them. */
function endOfSignificant(decimal: string): number {
  let end = decimal.length;
  while (decimal[end - 1] === "0") end -= 1;
  return decimal[end - 1] === "." ? end - 1 : end;
}
