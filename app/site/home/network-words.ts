const hashUnits = ["H/s", "kH/s", "MH/s", "GH/s", "TH/s", "PH/s", "EH/s", "ZH/s", "YH/s"] as const;
const countUnits = ["", " thousand", " million", " billion", " trillion", " quadrillion"] as const;

/** Hashes per second in the unit that keeps the figure short: "1.02 ZH/s". Rounded down. */
export function formatHashrate(hashesPerSecond: bigint): string {
  return inThousands(hashesPerSecond, hashUnits, " ");
}

/** A large count in words: "150.84 trillion". Rounded down. */
export function formatCount(count: bigint): string {
  return inThousands(count, countUnits, "");
}

function inThousands(value: bigint, units: readonly string[], space: string): string {
  let power = 0;
  let whole = value;
  while (whole >= 1000n && power < units.length - 1) {
    whole /= 1000n;
    power += 1;
  }
  if (power === 0) return `${whole}${space}${units[0]}`;
  const hundredths = (value * 100n) / 1000n ** BigInt(power);
  const decimals = String(hundredths % 100n).padStart(2, "0");
  return `${(hundredths / 100n).toLocaleString("en-US")}.${decimals}${space}${units[power]}`;
}
