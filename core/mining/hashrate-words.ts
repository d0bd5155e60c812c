import { formatWhole } from "../money.ts";

/** Said where what pools saw does not bound the hashrate that is for sale: `sales_bounds` in database/fleet. */
export const unseenWords =
  "We sell by what we entered of our machines: of the last ten days fewer than seven were measured by a pool and credited.";

const units = ["GH/s", "TH/s", "PH/s", "EH/s", "ZH/s"] as const;

/** A hashrate exactly, in the largest unit that leaves at most three decimals: 1_500n -> "1.5 TH/s", 2_000_000n -> "2 PH/s". */
export function formatGhs(ghs: bigint): string {
  let power = 0;
  let whole = ghs;
  while (
    whole >= 1000n &&
    power < units.length - 1 &&
    (ghs * 1000n) % 1000n ** BigInt(power + 1) === 0n
  ) {
    whole /= 1000n;
    power += 1;
  }
  const scale = 1000n ** BigInt(power);
  const rest = String(((ghs % scale) * 1000n) / scale)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return `${formatWhole(ghs / scale)}${rest ? `.${rest}` : ""} ${units[power]}`;
}
