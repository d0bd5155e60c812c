import { toDecimal } from "#core/money.ts";

/** The session value of the specification: the sum of deposits in dollars, two decimals. */
const key = "totalAmount";

/** Keeps the server's figure for this browser session. */
export function keepTotalAmount(cents: bigint): void {
  try {
    sessionStorage.setItem(key, toDecimal(cents, "USD"));
  } catch {
    // A browser that forbids storage loses nothing: no figure is ever read back from it.
  }
}

/** Forgets it at sign-out. */
export function forgetTotalAmount(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // As above.
  }
}
